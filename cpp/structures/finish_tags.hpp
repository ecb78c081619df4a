// The finish tags of a ps stage. Those that come first are in order, the first one last, the
// others, none of which is before any of them, in a heap. Tags of jobs come and go at random: in
// a heap each step is a branch that can't be foreseen, and moving some dozen numbers costs less.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace serq {

struct Job;

// `key` is in the order of tags; the job may have left, and its record be another's.
struct Tag {
  std::int64_t key = 0;
  std::uint64_t number = 0;
  Job* job = nullptr;
};

class FinishTags {
 public:
  bool empty() const { return size_ == 0; }
  std::uint64_t first_number() const { return tagged_[size_ - 1].number; }
  Job* first_job() const { return tagged_[size_ - 1].job; }

  // No job has a greater number: among equals it is the last.
  void push(const Tag& tag) {
    if (size_ == keys_.size() || !later_.empty()) {
      return push_among_many(tag);
    }
    insert(tag);
  }

  void pop() {
    if (--size_ == 0 && !later_.empty()) {
      refill();
    }
  }

 private:
  static constexpr std::size_t MOST = 64;

  struct Tagged {
    std::uint64_t number;
    Job* job;
  };

  static bool later(const Tag& a, const Tag& b) {
    return a.key != b.key ? a.key > b.key : a.number > b.number;
  }

  void put(std::size_t at, const Tag& tag) {
    keys_[at] = tag.key;
    tagged_[at] = {tag.number, tag.job};
  }

  void insert(const Tag& tag) {
    std::size_t at = size_++;
    for (; at != 0 && keys_[at - 1] <= tag.key; --at) {
      keys_[at] = keys_[at - 1];
      tagged_[at] = tagged_[at - 1];
    }
    put(at, tag);
  }

  [[gnu::noinline]] void push_among_many(const Tag& tag) {
    if (keys_.empty()) {
      keys_.resize(MOST);
      tagged_.resize(MOST);
    } else if (tag.key >= keys_[0]) {
      return push_later(tag);
    } else if (size_ == MOST) {
      push_later({keys_[0], tagged_[0].number, tagged_[0].job});
      std::shift_left(keys_.begin(), keys_.end(), 1);
      std::shift_left(tagged_.begin(), tagged_.end(), 1);
      --size_;
    }
    insert(tag);
  }

  void push_later(const Tag& tag) {
    later_.push_back(tag);
    std::ranges::push_heap(later_, later);
  }

  [[gnu::noinline]] void refill() {
    size_ = std::min(later_.size(), MOST / 2);
    for (std::size_t at = size_; at-- != 0;) {
      std::ranges::pop_heap(later_, later);
      put(at, later_.back());
      later_.pop_back();
    }
  }

  std::vector<std::int64_t> keys_;  // apart, since they are compared
  std::vector<Tagged> tagged_;
  std::size_t size_ = 0;
  std::vector<Tag> later_;
};

}  // namespace serq
