// Twin of src/serq/stats/batch_means.py.
#pragma once

#include <cstddef>
#include <span>

namespace serq {

inline constexpr std::size_t BATCHES = 20;
inline constexpr std::size_t LEAST_SAMPLES = 40;

double half_width(std::span<const double> samples);
double half_width_around(std::span<const double> means, double centre);

// The sum of values, from the first to the last.
double sum_of(std::span<const double> values);

}  // namespace serq
