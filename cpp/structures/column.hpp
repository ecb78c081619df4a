// A column of numbers that grows, and is handed on without being copied.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "structures/growing_memory.hpp"

namespace serq {

template <typename Item>
  requires std::is_trivially_copyable_v<Item>
class Column {
 public:
  void push_back(Item item) {
    if (full()) {
      grow();
    }
    append(item);
  }

  // Where it is not full.
  void append(Item item) { items()[size_++] = item; }

  bool full() const { return size_ == capacity_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Item* data() const { return items(); }
  Item back() const { return items()[size_ - 1]; }
  std::span<const Item> span() const { return {items(), size_}; }

  [[gnu::noinline]] void grow() {
    const std::size_t wanted = capacity_ == 0 ? FIRST : 2 * capacity_;
    memory_.grow(wanted * sizeof(Item));
    capacity_ = wanted;
  }

 private:
  static constexpr std::size_t FIRST = 16;

  Item* items() const { return static_cast<Item*>(memory_.get()); }

  GrowingMemory memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace serq
