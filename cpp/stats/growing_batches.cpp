// Twin of src/serq/stats/growing_batches.py.
#include "stats/growing_batches.hpp"

#include <limits>

#include "stats/batch_means.hpp"

namespace serq {

void GrowingBatches::finish() {
  sums_.push_back(unfinished_);
  unfinished_ = -0.0;
  filled_ = 0;
  if (sums_.size() == MOST) {
    join(sums_);
    size_ *= 2;
  }
}

double GrowingBatches::half_width() const {
  if (sums_.size() < LEAST_SAMPLES) {
    return std::numeric_limits<double>::infinity();
  }
  const std::vector<double> means = means_of(sums_, static_cast<double>(size_));
  return half_width_around(means, sum_of(means) / static_cast<double>(BATCHES));
}

void join(std::vector<double>& sums) {
  const std::size_t pairs = sums.size() / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    sums[pair] = sums[2 * pair] + sums[2 * pair + 1];
  }
  sums.resize(pairs);
}

std::vector<double> means_of(std::span<const double> sums, double size) {
  const std::size_t many = sums.size() / BATCHES;
  std::vector<double> means;
  for (std::size_t batch = 0; batch < BATCHES; ++batch) {
    means.push_back(sum_of(sums.subspan(batch * many, many)) /
                    (static_cast<double>(many) * size));
  }
  return means;
}

}  // namespace serq
