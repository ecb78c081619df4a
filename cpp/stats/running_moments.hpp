// Twin of src/serq/stats/running_moments.py; a run needs no more of it than the mean.
#pragma once

#include <cstdint>
#include <limits>

namespace serq {

struct RunningMoments {
  std::uint64_t count = 0;
  double mean_so_far = 0.0;

  void add(double value) {
    ++count;
    mean_so_far += (value - mean_so_far) / static_cast<double>(count);
  }

  double mean() const {
    return count != 0 ? mean_so_far : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace serq
