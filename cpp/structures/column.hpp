// A column of numbers that grows, and is handed on without being copied. Unlike a vector's, its
// memory grows in place where the C library can do that: a long column is there once and not
// twice while it grows.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

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
  void append(Item item) { items_.get()[size_++] = item; }

  bool full() const { return size_ == capacity_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Item* data() const { return items_.get(); }
  Item back() const { return items_.get()[size_ - 1]; }
  std::span<const Item> span() const { return {items_.get(), size_}; }

  void grow() {
    const std::size_t wanted = capacity_ == 0 ? FIRST : 2 * capacity_;
    void* grown = std::realloc(items_.get(), wanted * sizeof(Item));
    if (grown == nullptr) {
      throw std::bad_alloc{};
    }
    static_cast<void>(items_.release());
    items_.reset(static_cast<Item*>(grown));
    capacity_ = wanted;
  }

 private:
  static constexpr std::size_t FIRST = 16;

  struct Free {
    void operator()(Item* items) const { std::free(items); }
  };

  std::unique_ptr<Item, Free> items_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace serq
