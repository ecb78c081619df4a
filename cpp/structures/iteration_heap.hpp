// When each stage's iteration ends: a four-ary heap with one key a stage at most, which may move.
// Most ends are followed by a beginning: the place of the one that was taken stays vacant until
// then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "structures/key.hpp"

namespace serq {

class IterationHeap {
 public:
  bool empty() const { return size_ == 0; }

  // When the first is; NEVER when there is none.
  std::uint64_t first_time() const {
    return vacant_ || keys_.empty() ? second_time() : keys_.front().time;
  }

  std::uint64_t second_time() const {
    std::uint64_t least = NEVER;
    const std::size_t end = keys_.size() < ARITY + 1 ? keys_.size() : ARITY + 1;
    for (std::size_t at = 1; at < end; ++at) {
      least = keys_[at].time < least ? keys_[at].time : least;
    }
    return least;
  }

  const Key& first() {
    close();
    return keys_.front();
  }

  std::uint32_t pop() {
    close();
    vacant_ = true;
    --size_;
    const std::uint32_t stage = keys_.front().place;
    at_[stage] = NOWHERE;
    return stage;
  }

  // The stage's key is this one, whether it had one before or not.
  void set(const Key& key) {
    if (key.place >= at_.size()) {
      at_.resize(key.place + 1, NOWHERE);
    }
    std::size_t at = at_[key.place];
    size_ += at == NOWHERE ? 1 : 0;
    if (at == NOWHERE && vacant_) {
      vacant_ = false;
      return sink(0, key);
    }
    if (at == NOWHERE) {
      at = keys_.size();
      keys_.push_back(key);
    }
    if (at != 0 && before(key, keys_[(at - 1) / ARITY]) != 0) {
      return rise(at, key);
    }
    sink(at, key);
  }

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr std::uint32_t NOWHERE = 0xffff'ffff;

  void put(std::size_t at, const Key& key) {
    keys_[at] = key;
    at_[key.place] = static_cast<std::uint32_t>(at);
  }

  void close() {
    if (vacant_) {
      vacant_ = false;
      const Key moved = keys_.back();
      keys_.pop_back();
      if (!keys_.empty()) {
        sink(0, moved);
      }
    }
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
  std::vector<std::uint32_t> at_;  // by stage
  std::size_t size_ = 0;
  bool vacant_ = false;
};

}  // namespace serq
