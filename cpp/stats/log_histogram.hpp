// Twin of src/serq/stats/log_histogram.py. Successive values often go to the same bucket: what the
// latest ones come to is counted beside the buckets, so that nobody waits for one. The buckets of
// positive numbers stand side by side, from the least key to the greatest, and so do those of
// negative ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "structures/arena.hpp"
#include "structures/fetch.hpp"

namespace serq {

// Of positive numbers the key is ONE and above; of negative ones it is its mirror image.
inline constexpr std::int64_t ONE = 100'000;
inline constexpr std::int64_t INFINITE = 2 * ONE;
inline constexpr std::int64_t NOT_A_NUMBER = -3 * ONE;

struct Bucket {
  std::uint64_t count = 0;
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  // So many values, the least and the greatest of which are these.
  void add(double from, double to, std::uint64_t times) {
    count += times;
    if (from < least) {
      least = from;
    }
    if (to > greatest) {
      greatest = to;
    }
  }
};

// A value between them is a bucket's for certain: no logarithm has to be asked.
struct BucketRange {
  double from = std::numeric_limits<double>::infinity();
  double to = -std::numeric_limits<double>::infinity();
};

// `total` after `times` additions of `value`, one by one.
double sum_of_many(double total, double value, std::uint64_t times);

std::int64_t key_of(double value);
double middle_of(std::int64_t key);
double within(std::int64_t key, const Bucket& bucket);

// Buckets with neighbouring keys.
class BucketRow {
 public:
  Bucket& at(std::int64_t key);

  void fetch(std::int64_t key) const {
    const auto place = static_cast<std::size_t>(key - first_);
    if (place < buckets_.size()) {
      fetch_record(&buckets_[place]);
    }
  }

  // Whether `visit` wanted no more than some of the buckets; it is given each one's key and
  // itself, in ascending order.
  template <typename Visit>
  bool stops(const Visit& visit) const {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      if (visit(first_ + static_cast<std::int64_t>(i), buckets_[i])) {
        return true;
      }
    }
    return false;
  }

 private:
  void make_room(std::size_t size);

  std::int64_t first_ = 0;
  Items<Bucket> buckets_;
};

class LogHistogram {
 public:
  using Buckets = std::vector<std::pair<std::int64_t, Bucket>>;

  void add(double value) { add_many(value, 1); }

  // The same value so many times.
  [[gnu::always_inline]] void add_many(double value, std::uint64_t times) {
    count_ += times;
    total_ = times == 1 ? total_ + value : sum_of_many(total_, value, times);
    if (!(range_.from <= value && value <= range_.to)) {
      find(value);
    }
    latest_.add(value, value, times);
  }

  // The bucket that the latest values will be added to.
  void fetch() const { positive_.fetch(key_); }

  std::uint64_t count() const { return count_; }
  double mean() const;
  double quantile(double q) const;
  bool is_zero() const;

  // The buckets that have counted something, in ascending order of their keys.
  Buckets buckets() const;

 private:
  // Of what few values are.
  struct Rare {
    BucketRow negative;
    Bucket zeros;
    Bucket infinite;
    Bucket minus_infinite;
    Bucket not_numbers;
  };

  void find(double value);
  Bucket& bucket_of(std::int64_t key);
  Bucket& rare_bucket_of(std::int64_t key);

  template <typename Visit>
  void each_until(const Visit& visit) const;

  Bucket latest_;  // is added to its bucket when a value goes to another one
  std::int64_t key_ = 0;
  BucketRange range_;
  double total_ = 0.0;
  std::uint64_t count_ = 0;
  BucketRow positive_;
  std::unique_ptr<Rare> rare_;  // when there was such a value
};

}  // namespace serq
