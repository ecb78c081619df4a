// Twin of src/serq/stats/step_function.py.
#include "stats/step_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/batch_means.hpp"

namespace serq {
namespace {

// When the value stops being held that begins at `times[at]`, within `end`.
double end_of(std::span<const double> times, std::size_t at, double end) {
  return at + 1 < times.size() ? std::min(times[at + 1], end) : end;
}

}  // namespace

double window_mean(std::span<const double> times, std::span<const double> values, double start,
                   double end) {
  double area = 0.0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const double since = std::max(times[at], start);
    const double until = end_of(times, at, end);
    if (until > since) {
      area += values[at] * (until - since);
    }
  }
  return area / (end - start);
}

StepSummary summarise(std::span<const double> times, std::span<const double> values, double start,
                      double end) {
  StepSummary summary;
  if (end <= start || times.empty()) {
    return summary;
  }
  summary.mean = window_mean(times, values, start, end);
  const double width = (end - start) / static_cast<double>(BATCHES);
  std::array<double, BATCHES> means{};
  std::size_t first = 0;
  for (std::size_t window = 0; window < BATCHES; ++window) {
    const double low = start + static_cast<double>(window) * width;
    const double high =
        window == BATCHES - 1 ? end : start + static_cast<double>(window + 1) * width;
    while (first + 1 < times.size() && times[first + 1] <= low) {
      ++first;
    }
    std::size_t beyond = first;
    while (beyond < times.size() && times[beyond] < high) {
      ++beyond;
    }
    means[window] = window_mean(times.subspan(first, beyond - first),
                                values.subspan(first, beyond - first), low, high);
  }
  summary.ci = half_width_around(means, summary.mean);
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (end_of(times, at, end) > std::max(times[at], start)) {
      widen_range(summary, values[at]);
    }
  }
  return summary;
}

void widen_range(StepSummary& summary, double value) {
  if (std::isnan(summary.min) || value < summary.min) {
    summary.min = value;
  }
  if (std::isnan(summary.max) || value > summary.max) {
    summary.max = value;
  }
}

}  // namespace serq
