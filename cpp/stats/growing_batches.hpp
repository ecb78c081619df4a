// Twin of src/serq/stats/growing_batches.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace serq {

inline constexpr std::size_t MOST = 2048;

class GrowingBatches {
 public:
  void add(double value) {
    unfinished_ += value;
    if (++filled_ == size_) {
      finish();
    }
  }

  double half_width() const;

 private:
  void finish();

  std::vector<double> sums_;
  std::uint64_t size_ = 1;
  double unfinished_ = -0.0;
  std::uint64_t filled_ = 0;
};

// In place: sums of two neighbours each; one that is left over is dropped.
void join(std::vector<double>& sums);

std::vector<double> means_of(std::span<const double> sums, double size);

}  // namespace serq
