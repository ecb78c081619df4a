// Four-ary heaps of keys: as many comparisons as a binary one, half the moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "structures/fetch.hpp"
#include "structures/key.hpp"

namespace serq {

class KeyHeap {
 public:
  bool empty() const { return size_ == 0; }

  void push(const Key& key) {
    std::size_t at = size_++;
    if (size_ + ARITY > keys_.size()) {
      keys_.resize(2 * keys_.size(), NOTHING);
    }
    while (at != 0) {
      const std::size_t above = (at - 1) / ARITY;
      if (before(key, keys_[above]) == 0) {
        break;
      }
      keys_[at] = keys_[above];
      at = above;
    }
    keys_[at] = key;
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

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr Key NOTHING{NEVER, std::numeric_limits<std::uint64_t>::max(), 0};

  // Puts a key where the first one was.
  void sink(const Key& moved) {
    Key* const keys = keys_.data();
    std::size_t at = 0;
    for (std::size_t below = 1; below < size_; below = ARITY * at + 1) {
      fetch(keys + ARITY * below + 1, ARITY * ARITY * sizeof(Key));
      const std::size_t least = below + least_of_four(keys + below);
      if (before(keys[least], moved) == 0) {
        break;
      }
      keys[at] = keys[least];
      at = least;
    }
    keys[at] = moved;
  }

  // What is behind the last key is NOTHING, ARITY times at least: whoever has a child has four.
  Keys keys_ = Keys(8, NOTHING);
  std::size_t size_ = 0;
};

// Of each place it has one key at most, and knows where that is.
class PlacedKeyHeap {
 public:
  bool empty() const { return keys_.empty(); }

  void push(const Key& key) {
    if (key.place >= at_.size()) {
      at_.resize(key.place + 1, NOWHERE);
    }
    keys_.push_back(key);
    settle(keys_.size() - 1, key);
  }

  Key pop() {
    const Key first = keys_.front();
    remove(first.place);
    return first;
  }

  // The key of that place, if it has one.
  void remove(std::uint32_t place) {
    if (place >= at_.size() || at_[place] == NOWHERE) {
      return;
    }
    const std::size_t at = at_[place];
    at_[place] = NOWHERE;
    const Key moved = keys_.back();
    keys_.pop_back();
    if (at != keys_.size()) {
      settle(at, moved);
    }
  }

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr std::uint32_t NOWHERE = 0xffff'ffff;

  void put(std::size_t at, const Key& key) {
    keys_[at] = key;
    at_[key.place] = static_cast<std::uint32_t>(at);
  }

  // A key goes up or down to where it belongs from a place that is vacant.
  void settle(std::size_t at, const Key& key) {
    if (at != 0 && before(key, keys_[(at - 1) / ARITY]) != 0) {
      return rise(at, key);
    }
    sink(at, key);
  }

  void rise(std::size_t at, const Key& moved) {
    while (at != 0) {
      const std::size_t above = (at - 1) / ARITY;
      if (before(moved, keys_[above]) == 0) {
        break;
      }
      put(at, keys_[above]);
      at = above;
    }
    put(at, moved);
  }

  void sink(std::size_t at, const Key& moved) {
    const std::size_t size = keys_.size();
    for (std::size_t below = ARITY * at + 1; below < size; below = ARITY * at + 1) {
      std::size_t least = below;
      fetch(keys_.data() + ARITY * below + 1, ARITY * ARITY * sizeof(Key));
      if (below + ARITY <= size) {
        least += least_of_four(keys_.data() + below);
      } else {
        for (std::size_t other = below + 1; other < size; ++other) {
          least = before(keys_[other], keys_[least]) != 0 ? other : least;
        }
      }
      if (before(keys_[least], moved) == 0) {
        break;
      }
      put(at, keys_[least]);
      at = least;
    }
    put(at, moved);
  }

  Keys keys_;
  std::vector<std::uint32_t> at_;  // by place
};

}  // namespace serq
