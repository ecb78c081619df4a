// Twin of src/serq/stats/batch_means.py.
#include "stats/batch_means.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace serq {
namespace {

constexpr double STUDENT_T = 2.093;

}  // namespace

double sum_of(std::span<const double> values) {
  double total = -0.0;
  for (const double value : values) {
    total += value;
  }
  return total;
}

double half_width(std::span<const double> samples) {
  if (samples.size() < LEAST_SAMPLES) {
    return std::numeric_limits<double>::infinity();
  }
  const std::size_t size = samples.size() / BATCHES;
  std::array<double, BATCHES> means{};
  for (std::size_t batch = 0; batch < BATCHES; ++batch) {
    means[batch] = sum_of(samples.subspan(batch * size, size)) / static_cast<double>(size);
  }
  return half_width_around(means, sum_of(means) / static_cast<double>(BATCHES));
}

double half_width_around(std::span<const double> means, double centre) {
  double squares = -0.0;
  for (const double mean : means) {
    squares += (mean - centre) * (mean - centre);
  }
  const double variance = squares / static_cast<double>(BATCHES - 1);
  return STUDENT_T * std::sqrt(variance / static_cast<double>(BATCHES));
}

}  // namespace serq
