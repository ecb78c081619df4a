// Memory that is written once, from its first byte to its last, and grows meanwhile. Where it is
// long it is asked of the system (Linux): in large pages, which cost a third of what the same
// memory costs in small ones, and which move as they are when it grows; it is there once and not
// twice. Elsewhere it is the C library's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "structures/kept_memory.hpp"
#include "structures/large_pages.hpp"

namespace serq {

struct FreeMemory {
  void operator()(std::byte* bytes) const {
#if defined(__linux__)
    if (size >= LARGE_PAGE) {
      if (!kept_memory.keep({bytes, size})) {
        munmap(bytes, size);
      }
      return;
    }
#endif
    std::free(bytes);
  }

  std::size_t size = 0;
};

class GrowingMemory {
 public:
  void* get() const { return bytes_.get(); }

  // What is there stays; what is added has no value yet. It may be longer than was asked for.
  void grow(std::size_t size) {
    const std::size_t before = bytes_.get_deleter().size;
    if (size <= before) {
      return;
    }
#if defined(__linux__)
    if (size >= MANY_PAGES && before < LARGE_PAGE) {
      if (const MappedMemory kept = kept_memory.take(size); kept.size != 0) {
        return move_to(kept.bytes, before, kept.size);
      }
    }
    if (size >= LARGE_PAGE) {
      return grow_large(before, (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
    }
#endif
    void* const grown = std::realloc(bytes_.get(), size);
    if (grown == nullptr) {
      throw std::bad_alloc{};
    }
    static_cast<void>(bytes_.release());
    own(grown, size);
  }

 private:
  void own(void* memory, std::size_t size) {
    bytes_ = {static_cast<std::byte*>(memory), FreeMemory{size}};
  }

#if defined(__linux__)
  static constexpr std::size_t MANY_PAGES = std::size_t{1} << 17;  // of those that are small

  // Addresses that nothing else has, where a large page can begin.
  static std::byte* reserve(std::size_t size) {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const found = mmap(nullptr, size + LARGE_PAGE, PROT_NONE, flags, -1, 0);
    if (found == MAP_FAILED) {
      throw std::bad_alloc{};
    }
    auto* const first = static_cast<std::byte*>(found);
    const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(found) % LARGE_PAGE;
    if (skipped != 0) {
      munmap(first, skipped);
    }
    munmap(first + skipped + size, LARGE_PAGE - skipped);
    return first + skipped;
  }

  void grow_large(std::size_t before, std::size_t size) {
    std::byte* const place = reserve(size);
    const bool moves = before >= LARGE_PAGE;
    void* const grown =
        moves ? mremap(get(), before, size, MREMAP_MAYMOVE | MREMAP_FIXED, place)
              : mmap(place, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                     -1, 0);
    if (grown == MAP_FAILED) {
      munmap(place, size);
      throw std::bad_alloc{};
    }
    static_cast<void>(madvise(grown, size, MADV_HUGEPAGE));
    if (moves) {
      static_cast<void>(bytes_.release());
      own(grown, size);
    } else {
      move_to(grown, before, size);
    }
  }

  void move_to(void* memory, std::size_t before, std::size_t size) {
    if (before != 0) {
      std::memcpy(memory, get(), before);
    }
    own(memory, size);
  }
#endif

  std::unique_ptr<std::byte, FreeMemory> bytes_;
};

}  // namespace serq
