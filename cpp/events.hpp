// Twin of src/serq/semantics/events.py. An event is the kind of its handler and what that is
// told. The heap is four-ary: as many comparisons as a binary one, half the moves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace serq {

struct Job;
struct Session;

enum class EventKind : std::uint8_t {
  arrive, end_warmup, delay_finish, fifo_finish, ps_finish, flow_finish, iteration_end, lease_end,
};

// `stage` is the index of the stage it is about; `told` the number of the job, of the flow or
// the lease, or the session's serial when there is one; `epoch` is a ps stage's or the flows'.
struct Event {
  EventKind kind = EventKind::arrive;
  std::uint32_t stage = 0;
  std::uint64_t told = 0;
  std::uint64_t epoch = 0;
  Job* job = nullptr;
  Session* session = nullptr;
};

// A four-ary heap of keys. Most events schedule another one: the place of the one that was taken
// stays vacant until then.
class KeyHeap {
 public:
  // The bits of a time are in the order of times: none is negative. `place` is the event's.
  struct Key {
    std::uint64_t time;
    std::uint64_t number;
    std::uint32_t place;
  };

  static constexpr std::uint64_t NEVER = std::bit_cast<std::uint64_t>(
      std::numeric_limits<double>::infinity());

  // Without a branch, which could not be foreseen.
  static std::size_t before(const Key& a, const Key& b) {
    return static_cast<std::size_t>(a.time < b.time) |
           (static_cast<std::size_t>(a.time == b.time) &
            static_cast<std::size_t>(a.number < b.number));
  }

  bool empty() const { return keys_.size() == (vacant_ ? 1 : 0); }

  // When the first is; infinity when there is none.
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

  // The one after the first; the first when it is alone.
  const Key& second() const {
    std::size_t least = keys_.size() < 2 ? 0 : 1;
    for (std::size_t at = 2; at <= ARITY && at < keys_.size(); ++at) {
      least = before(keys_[at], keys_[least]) != 0 ? at : least;
    }
    return keys_[least];
  }

  Key pop() {
    close();
    vacant_ = true;
    return keys_.front();
  }

  void push(const Key& key) {
    if (vacant_) {
      vacant_ = false;
      return sink(key);
    }
    std::size_t at = keys_.size();
    keys_.push_back(key);
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

 private:
  static constexpr std::size_t ARITY = 4;

  static std::size_t least_of_four(const Key* keys) {
    const std::size_t low = before(keys[1], keys[0]);
    const std::size_t high = 2 + before(keys[3], keys[2]);
    return low + (high - low) * before(keys[high], keys[low]);
  }

  void close() {
    if (vacant_) {
      vacant_ = false;
      const Key moved = keys_.back();
      keys_.pop_back();
      if (!keys_.empty()) {
        sink(moved);
      }
    }
  }

  // Puts a key where the first one was.
  void sink(const Key& moved) {
    Key* const keys = keys_.data();
    const std::size_t size = keys_.size();
    std::size_t at = 0;
    for (std::size_t below = 1; below < size; below = ARITY * at + 1) {
      std::size_t least = below;
      if (below + ARITY <= size) {
        least += least_of_four(keys + below);
      } else {
        for (std::size_t other = below + 1; other < size; ++other) {
          least = before(keys[other], keys[least]) != 0 ? other : least;
        }
      }
      if (before(keys[least], moved) == 0) {
        break;
      }
      keys[at] = keys[least];
      at = least;
    }
    keys[at] = moved;
  }

  std::vector<Key> keys_;
  bool vacant_ = false;
};

// Ends of iterations, one of each busy engine, come and go faster than all others: they have a
// heap of their own, where the place is the stage.
class EventQueue {
 public:
  static constexpr std::uint32_t NO_STAGE = 0xffff'ffff;

  bool empty() const { return others_.empty() && iterations_.empty(); }

  // There is a first event, and it has not been taken.
  double first_time() const {
    return std::bit_cast<double>(std::min(others_.first_time(), iterations_.first_time()));
  }

  // Of which stage an iteration ends first; NO_STAGE when something else is first.
  std::uint32_t first_iteration() {
    return iteration_first() ? iterations_.first().place : NO_STAGE;
  }

  // When an iteration is first: when the event after it is, and of which stage the next one ends.
  double second_time() const {
    return std::bit_cast<double>(std::min(others_.first_time(), iterations_.second_time()));
  }

  std::uint32_t second_iteration() const { return iterations_.second().place; }

  void schedule(double time, const Event& event) {
    const bool iteration = event.kind == EventKind::iteration_end;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(time + 0.0);
    (iteration ? iterations_ : others_)
        .push({bits, scheduled_++, iteration ? event.stage : put(event)});
  }

  Event pop() {
    if (iteration_first()) {
      Event event;
      event.kind = EventKind::iteration_end;
      event.stage = iterations_.pop().place;
      return event;
    }
    const std::uint32_t place = others_.pop().place;
    free_.push_back(place);
    return events_[place];
  }

  // The iteration that is first ends again, later.
  void postpone_first(double time) {
    const std::uint32_t stage = iterations_.pop().place;
    iterations_.push({std::bit_cast<std::uint64_t>(time + 0.0), scheduled_++, stage});
  }

 private:
  bool iteration_first() {
    if (iterations_.empty() || others_.empty()) {
      return !iterations_.empty();
    }
    return KeyHeap::before(iterations_.first(), others_.first()) != 0;
  }

  std::uint32_t put(const Event& event) {
    if (free_.empty()) {
      events_.push_back(event);
      return static_cast<std::uint32_t>(events_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    events_[place] = event;
    return place;
  }

  KeyHeap iterations_;
  KeyHeap others_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> free_;  // places of events that were taken
  std::uint64_t scheduled_ = 0;
};

}  // namespace serq
