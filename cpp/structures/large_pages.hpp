// Memory for many records that are visited in no order. The tables by which a processor finds
// the pages of memory are themselves looked up in memory where pages are many: large blocks ask
// for large pages (Linux, where transparent huge pages may be asked for; elsewhere it is memory
// like any other).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace serq {

inline constexpr std::size_t LARGE_PAGE = std::size_t{1} << 21;

template <typename Item>
struct LargePages {
  using value_type = Item;

  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>& /*other*/) {}  // NOLINT: one allocator is like another

  Item* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(Item);
    if (bytes < LARGE_PAGE) {
      return static_cast<Item*>(::operator new(bytes, std::align_val_t{alignof(Item)}));
    }
    void* const memory = ::operator new(bytes, std::align_val_t{LARGE_PAGE});
#if defined(MADV_HUGEPAGE)
    static_cast<void>(madvise(memory, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE));
#endif
    return static_cast<Item*>(memory);
  }

  void deallocate(Item* items, std::size_t count) {
    const bool large = count * sizeof(Item) >= LARGE_PAGE;
    ::operator delete(items, std::align_val_t{large ? LARGE_PAGE : alignof(Item)});
  }

  bool operator==(const LargePages& /*other*/) const = default;
};

}  // namespace serq
