// Twin of src/serq/stats/time_average.py.
#pragma once

#include <limits>

namespace serq {

struct TimeAverage {
  double held = 0.0;
  double since = 0.0;
  double integral = 0.0;

  void record(double value, double now) {
    if (value != held) {
      integral += held * (now - since);
      held = value;
      since = now;
    }
  }

  void restart(double now) {
    integral = 0.0;
    since = now;
  }

  double mean(double start, double end) const {
    if (end <= start) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    return (integral + held * (end - since)) / (end - start);
  }
};

}  // namespace serq
