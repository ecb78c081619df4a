// Twin of src/serq/stats/sample_summary.py.
#pragma once

#include <cstdint>
#include <span>

#include "stats/growing_batches.hpp"
#include "stats/log_histogram.hpp"
#include "stats/running_moments.hpp"

namespace serq {

struct SampleSummary {
  std::uint64_t count = 0;
  double mean = 0.0;
  double cv2 = 0.0;
  double ci = 0.0;
  double p99 = 0.0;
  bool all_zero = true;
};

// `moments` are those of the samples: told while they come, they wait for nothing.
SampleSummary summarise(std::span<const double> samples, const RunningMoments& moments);

struct SampleStream {
  void add(double value) {
    moments.add(value);
    batches.add(value);
    histogram.add(value);
  }

  SampleSummary summary() const;

  RunningMoments moments;
  GrowingBatches batches;
  LogHistogram histogram;
};

}  // namespace serq
