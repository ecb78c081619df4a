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

// The most significant bits of a number, in the order of numbers; what numbers begin with is
// enough to know where most of them are.
inline constexpr int BITS = 14;

inline std::size_t bucket(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return static_cast<std::size_t>(((bits & sign) != 0 ? ~bits : bits | sign) >> (64 - BITS));
}

}  // namespace quantiles

// The `q` quantile of values in any order; what is no number stands before every number. NaN
// without a value. Values are counted in buckets, and those of the right bucket alone are copied.
inline double quantile(std::span<const double> values, double q) {
  std::vector<std::size_t> counts(std::size_t{1} << quantiles::BITS, 0);
  std::size_t before = 0;
  for (const double value : values) {
    if (std::isnan(value)) {
      ++before;
    } else {
      ++counts[quantiles::bucket(value)];
    }
  }
  if (values.empty() || rank(q, values.size()) <= before) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const std::size_t wanted = rank(q, values.size()) - 1;
  std::size_t bucket = 0;
  while (before + counts[bucket] <= wanted) {
    before += counts[bucket++];
  }
  std::vector<double> near;
  near.reserve(counts[bucket]);
  for (const double value : values) {
    if (!std::isnan(value) && quantiles::bucket(value) == bucket) {
      near.push_back(value);
    }
  }
  const auto found = near.begin() + static_cast<std::ptrdiff_t>(wanted - before);
  std::nth_element(near.begin(), found, near.end());
  return *found + 0.0;
}

}  // namespace serq
