// Twin of src/serq/stats/step_function.py.
#pragma once

#include <limits>
#include <span>

namespace serq {

struct StepSummary {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double ci = std::numeric_limits<double>::quiet_NaN();
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
};

double window_mean(std::span<const double> times, std::span<const double> values, double start,
                   double end);
StepSummary summarise(std::span<const double> times, std::span<const double> values, double start,
                      double end);

// The least and the greatest value that was held; any number wins over one that is none.
void widen_range(StepSummary& summary, double value);

}  // namespace serq
