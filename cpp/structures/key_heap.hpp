// Four-ary heaps of keys: as many comparisons as a binary one, half the moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "structures/key.hpp"

namespace serq {

// `Index` is told where in the heap the key of a place is.
template <typename Index>
class IndexedKeyHeap {
 public:
  bool empty() const { return size_ == 0; }

  void push(const Key& key) {
    if (size_ + 1 + ARITY > keys_.size()) {
      keys_.resize(2 * keys_.size(), NOTHING);
    }
    rise(size_++, key);
  }

  Key pop() {
    const Key first = keys_[0];
    index_.forget(first.place);
    const Key moved = take_last();
    if (size_ != 0) {
      sink(0, moved);
    }
    return first;
  }

  // The key of that place, if it has one.
  void remove(std::uint32_t place) {
    const std::size_t at = index_.find(place);
    if (at == Index::NOWHERE) {
      return;
    }
    index_.forget(place);
    const Key moved = take_last();
    if (at == size_) {
      return;
    }
    if (at != 0 && before(moved, keys_[above(at)]) != 0) {
      rise(at, moved);
    } else {
      sink(at, moved);
    }
  }

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr Key NOTHING{NEVER, std::numeric_limits<std::uint64_t>::max(), 0};

  static std::size_t above(std::size_t at) { return (at - 1) / ARITY; }

  void put(std::size_t at, const Key& key) {
    keys_[at] = key;
    index_.note(key.place, at);
  }

  Key take_last() {
    const Key last = keys_[--size_];
    keys_[size_] = NOTHING;
    return last;
  }

  // A key goes up, or down, from a place that is vacant.
  void rise(std::size_t at, const Key& key) {
    while (at != 0 && before(key, keys_[above(at)]) != 0) {
      put(at, keys_[above(at)]);
      at = above(at);
    }
    put(at, key);
  }

  void sink(std::size_t at, const Key& key) {
    for (std::size_t below = ARITY * at + 1; below < size_; below = ARITY * at + 1) {
      const std::size_t least = below + least_of_four(keys_.data() + below);
      if (before(keys_[least], key) == 0) {
        break;
      }
      put(at, keys_[least]);
      at = least;
    }
    put(at, key);
  }

  // What is behind the last key is NOTHING, ARITY times at least: whoever has a child has four.
  Keys keys_ = Keys(8, NOTHING);
  std::size_t size_ = 0;
  Index index_;
};

struct NoIndex {
  void note(std::uint32_t /*place*/, std::size_t /*at*/) {}
  void forget(std::uint32_t /*place*/) {}
};

// Each place has one key at most.
class PlaceIndex {
 public:
  static constexpr std::uint32_t NOWHERE = 0xffff'ffff;

  std::size_t find(std::uint32_t place) const {
    return place < at_.size() ? at_[place] : NOWHERE;
  }

  void note(std::uint32_t place, std::size_t at) {
    if (place >= at_.size()) {
      at_.resize(place + 1, NOWHERE);
    }
    at_[place] = static_cast<std::uint32_t>(at);
  }

  void forget(std::uint32_t place) { at_[place] = NOWHERE; }

 private:
  std::vector<std::uint32_t> at_;
};

using KeyHeap = IndexedKeyHeap<NoIndex>;
using PlacedKeyHeap = IndexedKeyHeap<PlaceIndex>;

}  // namespace serq
