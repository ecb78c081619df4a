// Asks for memory that will be needed soon, so that nobody waits for it then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

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

// So many bytes from there on: an instruction a line.
template <std::size_t BYTES>
inline void fetch(const void* address) {
  const auto from = reinterpret_cast<std::uintptr_t>(address);
  const auto fetch_lines = [&]<std::size_t... lines>(std::index_sequence<lines...>) {
    (fetch(reinterpret_cast<const void*>(from + lines * CACHE_LINE)), ...);  // NOLINT: any address
  };
  fetch_lines(std::make_index_sequence<(BYTES + CACHE_LINE - 1) / CACHE_LINE>());
}

// A record.
template <typename Record>
inline void fetch_record(const Record* record) {
  fetch<sizeof(Record)>(record);
}

}  // namespace serq
