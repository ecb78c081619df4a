// Twin of src/serq/stats/quantile.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace serq {

inline std::uint64_t rank(double q, std::uint64_t count) {
  const double wanted = std::ceil(q * static_cast<double>(count));
  return std::clamp(static_cast<std::uint64_t>(wanted), std::uint64_t{1}, count);
}

// The `q` quantile of values in any order, which it disturbs; what is no number stands before
// every number. NaN without a value.
inline double quantile(std::vector<double> values, double q) {
  if (values.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto numbers = std::partition(values.begin(), values.end(),
                                      [](double value) { return std::isnan(value); });
  const auto wanted =
      values.begin() + static_cast<std::ptrdiff_t>(rank(q, values.size()) - 1);
  if (wanted < numbers) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::nth_element(numbers, wanted, values.end());
  return *wanted + 0.0;
}

}  // namespace serq
