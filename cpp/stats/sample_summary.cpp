// Twin of src/serq/stats/sample_summary.py.
#include "stats/sample_summary.hpp"

#include <algorithm>

#include "stats/batch_means.hpp"
#include "stats/quantile.hpp"

namespace serq {

SampleSummary summarise(std::span<const double> samples, const RunningMoments& moments) {
  SampleSummary summary;
  summary.count = samples.size();
  summary.mean = moments.mean();
  summary.cv2 = moments.cv2();
  summary.ci = half_width(samples);
  summary.p99 = quantile(samples, 0.99);
  summary.all_zero = std::ranges::all_of(samples, [](double value) { return value == 0.0; });
  return summary;
}

SampleSummary SampleStream::summary() const {
  SampleSummary summary;
  summary.count = moments.count;
  summary.mean = moments.mean();
  summary.cv2 = moments.cv2();
  summary.ci = batches.half_width();
  summary.p99 = histogram.quantile(0.99);
  summary.all_zero = histogram.is_zero();
  return summary;
}

}  // namespace serq
