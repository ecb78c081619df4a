// Asks for memory that will be needed soon, so that nobody waits for it then.
#pragma once

#include <cstddef>
#include <cstdint>

namespace serq {

inline constexpr std::size_t CACHE_LINE = 64;

// The processor is asked for the line at an address, valid or not, and does not wait. A function
// that does nothing else would seem to do nothing at all: the assembly, which is empty, keeps it.
inline void fetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
  asm volatile("");
#else
  static_cast<void>(address);
#endif
}

// So many bytes from there on.
inline void fetch(const void* address, std::size_t bytes) {
  const auto from = reinterpret_cast<std::uintptr_t>(address);
  for (std::uintptr_t at = from; at < from + bytes; at += CACHE_LINE) {
    fetch(reinterpret_cast<const void*>(at));  // NOLINT: no object need be there
  }
}

}  // namespace serq
