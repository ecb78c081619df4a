// Twin of src/serq/semantics/numbers.py.
#pragma once

#include <bit>
#include <cstdint>

namespace serq {

inline std::uint64_t saturate(double a, std::uint64_t limit) {
  if (!(a > 0.0)) {
    return 0;
  }
  return a >= static_cast<double>(limit) ? limit : static_cast<std::uint64_t>(a);
}

// A count as a number; that of a signed integer is one instruction.
inline double real(std::uint64_t count) {
  return static_cast<double>(static_cast<std::int64_t>(count));
}

inline std::int64_t order(double a) {
  const auto word = std::bit_cast<std::int64_t>(a);
  return word >= 0 ? word : word ^ 0x7fff'ffff'ffff'ffff;
}

}  // namespace serq
