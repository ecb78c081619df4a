// Memory for the small lists of a run's records: near each other and in large pages, where those
// of thousands of engines and sessions would be strewn over the heap. A thread has one run at a
// time; its lists end before the arena does. Without an arena, lists are on the heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "structures/fetch.hpp"
#include "structures/large_pages.hpp"

namespace serq {

class Arena {
 public:
  Arena() : outer_(current) { current = this; }
  ~Arena() { current = outer_; }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  static void* allocate(std::size_t bytes) {
    return current != nullptr && bytes <= LARGEST ? current->take(size_class(bytes))
                                                  : ::operator new(bytes);
  }

  static void deallocate(void* memory, std::size_t bytes) {
    if (current == nullptr || bytes > LARGEST) {
      return ::operator delete(memory);
    }
    Free& free = current->free_[size_class(bytes)];
    free = new (memory) Vacant{free};
  }

 private:
  struct Vacant {
    Vacant* next;
  };
  using Free = Vacant*;
  struct alignas(CACHE_LINE) Line {
    std::byte bytes[CACHE_LINE];
  };

  struct GiveBack {
    void operator()(Line* lines) const { LargePages<Line>{}.deallocate(lines, size); }
    std::size_t size = 0;
  };
  // Memory that nobody has written to yet.
  using Block = std::unique_ptr<Line[], GiveBack>;  // NOLINT: an array

#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t LARGEST = 0;  // each list on the heap, where its ends are watched
#else
  static constexpr std::size_t LARGEST = 16384;
#endif
  static constexpr std::size_t CLASSES = 11;  // 16, 32, … 16384 bytes
  static constexpr std::size_t LEAST = 16;
  static constexpr std::size_t FIRST_BLOCK = 512;  // lines, two of the largest lists
  static constexpr std::size_t LARGEST_BLOCK = 2 * LARGE_PAGE / sizeof(Line);

  static std::size_t size_class(std::size_t bytes) {
    return bytes <= LEAST ? 0 : static_cast<std::size_t>(std::bit_width(bytes - 1)) - 4;
  }

  void* take(std::size_t size) {
    Vacant* const vacant = free_[size];
    if (vacant != nullptr) {
      free_[size] = vacant->next;
      return vacant;
    }
    const std::size_t bytes = LEAST << size;
    if (left_ < bytes) {
      enlarge();
    }
    // No list of a line or less is in two, and longer ones begin with one.
    left_ -= bytes;
    left_ -= left_ % std::min(bytes, CACHE_LINE);
    return reinterpret_cast<std::byte*>(blocks_.back().get()) + left_;
  }

  void enlarge() {
    const std::size_t before = blocks_.empty() ? 0 : blocks_.back().get_deleter().size;
    const std::size_t size = std::clamp(2 * before, FIRST_BLOCK, LARGEST_BLOCK);
    blocks_.push_back(Block{LargePages<Line>{}.allocate(size), GiveBack{size}});
    left_ = size * sizeof(Line);
  }

  static inline thread_local Arena* current = nullptr;

  Arena* outer_;
  std::array<Free, CLASSES> free_{};
  std::vector<Block> blocks_;
  std::size_t left_ = 0;  // bytes of the last block
};

template <typename Item>
struct InArena {
  using value_type = Item;

  InArena() = default;
  template <typename Other>
  InArena(const InArena<Other>& /*other*/) {}  // NOLINT: one allocator is like another

  Item* allocate(std::size_t count) {
    static_assert(alignof(Item) <= 16);
    return static_cast<Item*>(Arena::allocate(count * sizeof(Item)));
  }

  void deallocate(Item* items, std::size_t count) {
    Arena::deallocate(items, count * sizeof(Item));
  }

  bool operator==(const InArena& /*other*/) const = default;
};

// A list that is part of a record of a run.
template <typename Item>
using Items = std::vector<Item, InArena<Item>>;

}  // namespace serq
