// Keys of heaps of events: by time, and at the same time in the order of their numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "structures/large_pages.hpp"

namespace serq {

// The bits of a time are in the order of times: none is negative. `place` is the event's.
struct Key {
  std::uint64_t time;
  std::uint64_t number;
  std::uint32_t place;
};

using Keys = std::vector<Key, LargePages<Key>>;

inline constexpr std::uint64_t NEVER =
    std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());

// Without a branch, which could not be foreseen; where there are integers of 128 bits, they are a
// subtraction with its borrow.
inline std::size_t before(const Key& a, const Key& b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const auto wide = [](const Key& key) { return static_cast<Wide>(key.time) << 64 | key.number; };
  return static_cast<std::size_t>(wide(a) < wide(b));
#else
  return static_cast<std::size_t>(a.time < b.time) |
         (static_cast<std::size_t>(a.time == b.time) &
          static_cast<std::size_t>(a.number < b.number));
#endif
}

inline std::size_t least_of_four(const Key* keys) {
  const std::size_t low = before(keys[1], keys[0]);
  const std::size_t high = 2 + before(keys[3], keys[2]);
  return low + (high - low) * before(keys[high], keys[low]);
}

}  // namespace serq
