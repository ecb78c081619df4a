// Twin of src/serq/stats/running_moments.py, in two parts: most means need no variance.
#pragma once

#include <cstdint>
#include <limits>

#include "numbers.hpp"

namespace serq {

struct RunningMean {
  std::uint64_t count = 0;
  double mean_so_far = 0.0;

  void add(double value) {
    ++count;
    mean_so_far += (value - mean_so_far) / real(count);
  }

  double mean() const {
    return count != 0 ? mean_so_far : std::numeric_limits<double>::quiet_NaN();
  }
};

struct RunningMoments : RunningMean {
  double squares = 0.0;

  void add(double value) {
    const double distance = value - mean_so_far;
    RunningMean::add(value);
    squares += distance * (value - mean_so_far);
  }

  double variance() const {
    return count > 1 ? squares / static_cast<double>(count - 1)
                     : std::numeric_limits<double>::quiet_NaN();
  }

  double cv2() const {
    const double spread = variance();
    const double square = mean_so_far * mean_so_far;
    if (square == 0.0) {
      return spread > 0.0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
    }
    return spread / square;
  }
};

}  // namespace serq
