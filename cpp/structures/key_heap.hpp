// A four-ary heap of keys: as many comparisons as a binary one, half the moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "structures/key.hpp"

namespace serq {

class KeyHeap {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const Key& key) {
    if (size_ + 1 + ARITY > keys_.size()) {
      keys_.resize(2 * keys_.size(), NOTHING);
    }
    rise(size_++, key);
  }

  Key pop() {
    const Key first = keys_[0];
    const Key moved = keys_[--size_];
    keys_[size_] = NOTHING;
    if (size_ != 0) {
      sink(moved);
    }
    return first;
  }

  // All of them, in no order, to the end of `keys`.
  void give_up(Keys& keys) {
    const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(size_);
    keys.insert(keys.end(), keys_.begin(), end);
    std::fill(keys_.begin(), end, NOTHING);
    size_ = 0;
  }

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr Key NOTHING{NEVER, std::numeric_limits<std::uint64_t>::max(), 0};

  static std::size_t above(std::size_t at) { return (at - 1) / ARITY; }

  // A key goes up, or down from the top, from a place that is vacant.
  void rise(std::size_t at, const Key& key) {
    while (at != 0 && before(key, keys_[above(at)]) != 0) {
      keys_[at] = keys_[above(at)];
      at = above(at);
    }
    keys_[at] = key;
  }

  void sink(const Key& key) {
    std::size_t at = 0;
    for (std::size_t below = 1; below < size_; below = ARITY * at + 1) {
      const std::size_t least = below + least_of_four(keys_.data() + below);
      if (before(keys_[least], key) == 0) {
        break;
      }
      keys_[at] = keys_[least];
      at = least;
    }
    keys_[at] = key;
  }

  // What is behind the last key is NOTHING, ARITY times at least: whoever has a child has four.
  Keys keys_ = Keys(8, NOTHING);
  std::size_t size_ = 0;
};

}  // namespace serq
