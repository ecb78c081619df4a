// Twin of src/serq/ir/arithmetic.py. What Python has to catch, IEEE arithmetic gives by itself;
// the sign of a NaN is written out, because an order of keys can see it.
#pragma once

#include <cmath>
#include <limits>

namespace serq {

inline constexpr double INVALID = -std::numeric_limits<double>::quiet_NaN();

inline double divide(double a, double b) {
  if (b != 0.0) {
    return a / b;
  }
  if (a == 0.0) {
    return INVALID;
  }
  return std::isnan(a) ? a
                       : std::copysign(std::numeric_limits<double>::infinity(), a) *
                             std::copysign(1.0, b);
}

inline double power(double a, double b) {
  if (std::isnan(a)) {
    return b == 0.0 ? 1.0 : a;
  }
  if (std::isnan(b)) {
    return a == 1.0 ? 1.0 : b;
  }
  const double result = std::pow(a, b);
  return std::isnan(result) ? INVALID : result;
}

inline double exponential(double a) { return std::exp(a); }

inline double logarithm(double a) {
  if (a > 0.0) {
    return std::log(a);
  }
  if (std::isnan(a)) {
    return a;
  }
  return a == 0.0 ? -std::numeric_limits<double>::infinity() : INVALID;
}

inline double square_root(double a) { return a < 0.0 ? INVALID : std::sqrt(a); }

// Doubles of this size and above are whole numbers; below it, a cast to an integer is exact.
inline constexpr double ALL_WHOLE = 4503599627370496.0;

inline double floor(double a) {
  if (!(std::fabs(a) < ALL_WHOLE)) {
    return a;
  }
  const auto whole = static_cast<double>(static_cast<long long>(a));
  return std::copysign(whole > a ? whole - 1.0 : whole, a);
}

inline double ceil(double a) {
  if (!(std::fabs(a) < ALL_WHOLE)) {
    return a;
  }
  const auto whole = static_cast<double>(static_cast<long long>(a));
  return std::copysign(whole < a ? whole + 1.0 : whole, a);
}

inline double minimum(double a, double b) {
  if (b <= a) {
    return b;
  }
  return a < b || std::isnan(b) ? a : b;
}

inline double maximum(double a, double b) {
  if (b >= a) {
    return b;
  }
  return a > b || std::isnan(b) ? a : b;
}

}  // namespace serq
