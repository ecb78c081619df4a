// Twin of src/serq/stats/gap_histogram.py. Successive gaps are often the same number: the
// bucket of the last one is kept.
#pragma once

#include <cstdint>
#include <map>

namespace serq {

struct Bucket {
  std::uint64_t count = 0;
  double least = 0.0;
  double greatest = 0.0;
};

// `total` after `times` additions of `value`, one by one.
double sum_of_many(double total, double value, std::uint64_t times);

class GapHistogram {
 public:
  void add(double gap) { add_many(gap, 1); }

  // The same gap so many times.
  void add_many(double gap, std::uint64_t times) {
    count_ += times;
    total_ = times == 1 ? total_ + gap : sum_of_many(total_, gap, times);
    if (gap != last_gap_ && !(last_ != nullptr && last_->least <= gap && gap <= last_->greatest)) {
      find(gap);
    }
    last_->count += times;
  }

  double mean() const;
  double quantile(double q) const;

 private:
  void find(double gap);

  std::uint64_t count_ = 0;
  double total_ = 0.0;
  double last_gap_ = -1.0;  // no gap is below 0
  Bucket* last_ = nullptr;
  std::map<std::int64_t, Bucket> buckets_;
};

}  // namespace serq
