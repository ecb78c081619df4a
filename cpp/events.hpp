// Twin of src/serq/semantics/events.py. An event is the kind of its handler and what that is
// told. Heaps are four-ary: as many comparisons as a binary one, half the moves.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "structures/iteration_heap.hpp"
#include "structures/key.hpp"

namespace serq {

struct Job;
struct Session;

enum class EventKind : std::uint8_t {
  arrive, end_warmup, delay_finish, fifo_finish, ps_finish, flow_finish, iteration_end, lease_end,
};

// `stage` is the index of the stage it is about; `told` the number of the job or of the lease, or
// the epoch of the ps stage or of the flows, after which the event means nothing.
struct Event {
  EventKind kind = EventKind::arrive;
  std::uint32_t stage = 0;
  std::uint64_t told = 0;
  Job* job = nullptr;
  Session* session = nullptr;
};

// A four-ary heap of keys.
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

// The keys to come: the soonest in order, the first one last; the others, which are not before
// any of them, in a heap. Few events are pending in most programs, and most new ones are soon:
// they are put in their place by moving those before them.
class KeyQueue {
 public:
  bool empty() const { return size_ == 0; }

  // When the first is; infinity when there is none.
  std::uint64_t first_time() const { return times_[size_]; }

  Key first() const { return get(size_); }

  // The place of what was first.
  std::uint32_t pop() {
    const std::uint32_t place = places_[size_];
    if (--size_ == 0 && !later_.empty()) {
      refill();
    }
    return place;
  }

  // No key has a greater number: among equals it is the last.
  void push(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    if (size_ == MOST || !later_.empty()) {
      return push_among_many({time, number, place});
    }
    insert(time, number, place);
  }

 private:
  static constexpr std::size_t MOST = 16;
  static constexpr std::size_t REFILLED = 4;

  void insert(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    std::size_t at = ++size_;
    for (; at != 1 && times_[at - 1] <= time; --at) {
      move(at - 1, at);
    }
    put(at, {time, number, place});
  }

  void put(std::size_t at, const Key& key) {
    times_[at] = key.time;
    numbers_[at] = key.number;
    places_[at] = key.place;
  }

  Key get(std::size_t at) const { return {times_[at], numbers_[at], places_[at]}; }
  void move(std::size_t from, std::size_t to) { put(to, get(from)); }

  [[gnu::noinline]] void push_among_many(const Key& key) {
    if (key.time >= times_[1]) {
      return later_.push(key);
    }
    if (size_ == MOST) {
      later_.push(get(1));
      for (std::size_t at = 1; at != MOST; ++at) {
        move(at + 1, at);
      }
      --size_;
    }
    insert(key.time, key.number, key.place);
  }

  [[gnu::noinline]] void refill() {
    std::array<Key, REFILLED> keys;
    std::size_t count = 0;
    while (count != REFILLED && !later_.empty()) {
      keys[count++] = later_.pop();
    }
    while (count != 0) {
      put(++size_, keys[--count]);
    }
  }

  // From 1 on, the first one last; apart, since they are written and moved part by part. A time
  // before all of them, NEVER, is what is found when there are none.
  std::array<std::uint64_t, MOST + 1> times_{NEVER};
  std::array<std::uint64_t, MOST + 1> numbers_{};
  std::array<std::uint32_t, MOST + 1> places_{};
  std::size_t size_ = 0;
  KeyHeap later_;
};

// Ends of iterations, one of each busy engine, come and go faster than all others: they have a
// heap of their own, where the place is the stage.
class EventQueue {
 public:
  static constexpr std::uint32_t NO_STAGE = 0xffff'ffff;

  bool empty() const { return others_.empty() && iterations_.empty(); }

  // When the first event is; infinity when there is none.
  double first_time() const {
    const std::uint64_t other = others_.first_time();
    return std::bit_cast<double>(iterations_.empty() ? other
                                                     : std::min(other, iterations_.first_time()));
  }

  // Of which stage an iteration ends first; NO_STAGE when something else is first.
  std::uint32_t first_iteration() {
    return iteration_first() ? iterations_.first().place : NO_STAGE;
  }

  // When an iteration is first: when the event after it is.
  double second_time() const {
    return std::bit_cast<double>(std::min(others_.first_time(), iterations_.second_time()));
  }

  void schedule(double time, const Event& event) {
    schedule(time, event.kind, event.stage, event.told, event.job, event.session);
  }

  [[gnu::always_inline]] void schedule(double time, EventKind kind, std::uint32_t stage,
                                       std::uint64_t told, Job* job, Session* session) {
    const std::uint32_t place = vacant_place();
    Event& event = events_[place];
    event.kind = kind;
    event.stage = stage;
    event.told = told;
    event.job = job;
    event.session = session;
    others_.push(std::bit_cast<std::uint64_t>(time + 0.0), scheduled_++, place);
  }

  // An iteration of that stage ends then; of each stage it is one.
  void schedule_iteration(double time, std::uint32_t stage) {
    iterations_.set({std::bit_cast<std::uint64_t>(time + 0.0), scheduled_++, stage});
  }

  Event pop() {
    if (iteration_first()) {
      Event event;
      event.kind = EventKind::iteration_end;
      event.stage = iterations_.pop();
      return event;
    }
    const std::uint32_t place = others_.pop();
    Event& taken = events_[place];
    Event event;  // part by part, as it was written
    event.kind = taken.kind;
    event.stage = taken.stage;
    event.told = taken.told;
    event.job = taken.job;
    event.session = taken.session;
    taken.stage = free_;
    free_ = place;
    return event;
  }

 private:
  bool iteration_first() {
    if (iterations_.empty() || others_.empty()) {
      return !iterations_.empty();
    }
    return before(iterations_.first(), others_.first()) != 0;
  }

  std::uint32_t vacant_place() {
    const std::uint32_t place = free_;
    if (place == NO_PLACE) {
      return another_place();
    }
    free_ = events_[place].stage;
    return place;
  }

  [[gnu::noinline]] std::uint32_t another_place() {
    events_.emplace_back();
    return static_cast<std::uint32_t>(events_.size() - 1);
  }

  static constexpr std::uint32_t NO_PLACE = 0xffff'ffff;

  IterationHeap iterations_;
  KeyQueue others_;
  std::vector<Event, LargePages<Event>> events_;
  std::uint32_t free_ = NO_PLACE;  // of an event that was taken; its `stage` is the next such place
  std::uint64_t scheduled_ = 0;
};

}  // namespace serq
