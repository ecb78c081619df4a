// Twin of src/serq/stats/log_histogram.py. Successive values are often the same number: the
// bucket of the last one is kept. The buckets of positive numbers stand side by side, from the
// least key to the greatest, and so do those of negative ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

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

  // Of every bucket that has counted something: its key and itself, in ascending order.
  template <typename Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      if (buckets_[i].count != 0) {
        visit(first_ + static_cast<std::int64_t>(i), buckets_[i]);
      }
    }
  }

 private:
  std::int64_t first_ = 0;
  std::vector<Bucket> buckets_;
};

class LogHistogram {
 public:
  void add(double value) { add_many(value, 1); }

  // The same value so many times.
  [[gnu::always_inline]] void add_many(double value, std::uint64_t times) {
    count_ += times;
    total_ = times == 1 ? total_ + value : sum_of_many(total_, value, times);
    if (!(range_.from <= value && value <= range_.to)) {
      find(value);
    }
    last_->count += times;
    if (value < last_->least) {
      last_->least = value;
    }
    if (value > last_->greatest) {
      last_->greatest = value;
    }
  }

  // The bucket of the last value, where the next one may go.
  void fetch() const { serq::fetch(last_); }

  std::uint64_t count() const { return count_; }
  double mean() const;
  double quantile(double q) const;
  bool is_zero() const;

  // The buckets that have counted something, in ascending order of their keys.
  std::vector<std::pair<std::int64_t, Bucket>> buckets() const;

 private:
  void find(double value);

  Bucket zeros_;
  Bucket infinite_;
  Bucket minus_infinite_;
  Bucket not_numbers_;
  BucketRow negative_;
  BucketRow positive_;
  Bucket* last_ = nullptr;
  BucketRange range_;  // of the last one
  double total_ = 0.0;
  std::uint64_t count_ = 0;
};

}  // namespace serq
