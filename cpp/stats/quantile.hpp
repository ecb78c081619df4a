// Twin of src/serq/stats/quantile.py.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace serq {

inline std::uint64_t rank(double q, std::uint64_t count) {
  const double wanted = std::ceil(q * static_cast<double>(count));
  return std::clamp(static_cast<std::uint64_t>(wanted), std::uint64_t{1}, count);
}

namespace quantiles {

// What numbers begin with, their sign and so many bits in all, is enough to know where most of
// them are.
inline constexpr int BITS = 14;
inline constexpr std::size_t HEADS = std::size_t{1} << BITS;
inline constexpr std::size_t POSITIVE = HEADS / 2;

inline std::size_t head(double value) {
  return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value) >> (64 - BITS));
}

// In the order of numbers: the heads of negative ones are the upper half, the least number last.
inline std::size_t head_at(std::size_t place) {
  return place < POSITIVE ? HEADS - 1 - place : place - POSITIVE;
}

using Counts = std::vector<std::size_t>;

// What is no number has the head of an infinity, or one above it. Counted out of them.
inline std::size_t take_out_not_numbers(std::span<const double> values, Counts& counts) {
  constexpr std::size_t most = 4;  // such heads of a sign
  const auto none = [&](std::size_t end) {
    return std::all_of(&counts[end - most], &counts[end - 1] + 1,
                       [](std::size_t count) { return count == 0; });
  };
  if (none(POSITIVE) && none(HEADS)) {
    return 0;
  }
  std::size_t taken = 0;
  for (const double value : values) {
    if (std::isnan(value)) {
      --counts[head(value)];
      ++taken;
    }
  }
  return taken;
}

}  // namespace quantiles

// The `q` quantile of values in any order; what is no number stands before every number. NaN
// without a value. Values are counted by their heads, and those of the right one alone are copied.
inline double quantile(std::span<const double> values, double q) {
  quantiles::Counts counts(quantiles::HEADS, 0);
  for (const double value : values) {
    ++counts[quantiles::head(value)];
  }
  std::size_t before = quantiles::take_out_not_numbers(values, counts);
  if (values.empty() || rank(q, values.size()) <= before) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const std::size_t wanted = rank(q, values.size()) - 1;
  std::size_t place = 0;
  while (before + counts[quantiles::head_at(place)] <= wanted) {
    before += counts[quantiles::head_at(place++)];
  }
  const std::size_t head = quantiles::head_at(place);
  std::vector<double> near;
  near.reserve(counts[head]);
  for (const double value : values) {
    if (quantiles::head(value) == head && !std::isnan(value)) {
      near.push_back(value);
    }
  }
  const auto found = near.begin() + static_cast<std::ptrdiff_t>(wanted - before);
  std::nth_element(near.begin(), found, near.end());
  return *found + 0.0;
}

}  // namespace serq
