// Twin of src/serq/semantics/events.py. An event is the kind of its handler and what that is
// told. The heap is four-ary: as many comparisons as a binary one, half the moves.
#pragma once

#include <algorithm>
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

// A four-ary heap of keys. Most events schedule another one: the place of the one that was taken
// stays vacant until then.
class KeyHeap {
 public:
  bool empty() const { return size_ == vacant_; }

  // When the first is; infinity when there is none.
  std::uint64_t first_time() const { return vacant_ != 0 ? second_time() : keys_[0].time; }

  std::uint64_t second_time() const {
    return std::min(std::min(keys_[1].time, keys_[2].time),
                    std::min(keys_[3].time, keys_[4].time));
  }

  const Key& first() {
    close();
    return keys_[0];
  }

  // The place of what was first.
  std::uint32_t pop() {
    close();
    vacant_ = 1;
    return keys_[0].place;
  }

  // In a small heap, as most are, there is one other at most.
  [[gnu::noinline]] void push(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    if (vacant_ == 0) {
      return rise(time, number, place);
    }
    vacant_ = 0;
    if (size_ > 2) {
      return sink(time, number, place);
    }
    Key* const keys = keys_.data();
    std::size_t at = 0;
    if (before(keys[1], {time, number, place}) != 0) {
      keys[0] = keys[1];
      at = 1;
    }
    put(at, time, number, place);
  }

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr Key NOTHING{NEVER, std::numeric_limits<std::uint64_t>::max(), 0};

  void close() {
    if (vacant_ != 0) {
      close_vacant();
    }
  }

  [[gnu::noinline]] void close_vacant() {
    vacant_ = 0;
    const Key moved = keys_[--size_];
    keys_[size_] = NOTHING;
    if (size_ != 0) {
      sink(moved.time, moved.number, moved.place);
    }
  }

  [[gnu::noinline]] void rise(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    const Key key{time, number, place};
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
    put(at, time, number, place);
  }

  // Part by part, as they are in registers: a whole key that was just put together in memory
  // would have to be waited for.
  void put(std::size_t at, std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    Key& key = keys_[at];
    key.time = time;
    key.number = number;
    key.place = place;
  }

  // Puts a key where the first one was.
  [[gnu::noinline]] void sink(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    const Key moved{time, number, place};
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
    put(at, time, number, place);
  }

  // What is behind the last key is NOTHING, ARITY times at least: whoever has a child has four.
  std::vector<Key> keys_ = std::vector<Key>(8, NOTHING);
  std::size_t size_ = 0;
  std::size_t vacant_ = 0;  // 1 when the first place is
};

// Ends of iterations, one of each busy engine, come and go faster than all others: they have a
// heap of their own, where the place is the stage.
class EventQueue {
 public:
  static constexpr std::uint32_t NO_STAGE = 0xffff'ffff;

  bool empty() const { return others_.empty() && iterations_.empty(); }

  // When the first event is; infinity when there is none.
  double first_time() const {
    return std::bit_cast<double>(std::min(others_.first_time(), iterations_.first_time()));
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
    const Event event = events_[place];
    events_[place].stage = free_;
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
  KeyHeap others_;
  std::vector<Event> events_;
  std::uint32_t free_ = NO_PLACE;  // of an event that was taken; its `stage` is the next such place
  std::uint64_t scheduled_ = 0;
};

}  // namespace serq
