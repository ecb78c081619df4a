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

class GapHistogram {
 public:
  void add(double gap) {
    ++count_;
    total_ += gap;
    if (gap != last_gap_) {
      find(gap);
    }
    ++last_->count;
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
