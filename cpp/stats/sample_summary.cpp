// Twin of src/serq/stats/sample_summary.py.
#include "stats/sample_summary.hpp"

#include "stats/batch_means.hpp"
#include "stats/quantile.hpp"

namespace serq {

SampleSummary summarise(std::span<const double> samples) {
  RunningMoments moments;
  bool all_zero = true;
  for (const double value : samples) {
    moments.add(value);
    all_zero = all_zero && value == 0.0;
  }
  SampleSummary summary;
  summary.count = samples.size();
  summary.mean = moments.mean();
  summary.cv2 = moments.cv2();
  summary.ci = half_width(samples);
  summary.p99 = quantile(samples, 0.99);
  summary.all_zero = all_zero;
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
