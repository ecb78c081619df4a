// Twin of src/serq/semantics/events.py. An event is the kind of its handler and what that is
// told. The heap is four-ary: as many comparisons as a binary one, half the moves.
#pragma once

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

// The heap moves keys; the events stay where they are. Most events schedule another one: the
// place of the one that was taken stays vacant until then.
class EventQueue {
 public:
  static constexpr std::uint32_t NO_STAGE = 0xffff'ffff;

  bool empty() const { return heap_.size() == (vacant_ ? 1 : 0); }

  // There is a first event, and it has not been taken.
  double first_time() const { return vacant_ ? second_time() : time_of(heap_.front()); }

  // Of which stage an iteration ends first; NO_STAGE when something else is first.
  std::uint32_t first_iteration() {
    close();
    return iteration_of(heap_.front());
  }

  // When the event after the first one is; never when there is none.
  double second_time() const {
    std::uint64_t least = bits_of(std::numeric_limits<double>::infinity());
    const std::size_t end = heap_.size() < ARITY + 1 ? heap_.size() : ARITY + 1;
    for (std::size_t at = 1; at < end; ++at) {
      least = heap_[at].time < least ? heap_[at].time : least;
    }
    return std::bit_cast<double>(least);
  }

  // The same of the event after the first one.
  std::uint32_t second_iteration() const {
    const std::size_t size = heap_.size();
    if (size < 2) {
      return NO_STAGE;
    }
    std::size_t least = 1;
    for (std::size_t at = 2; at <= ARITY && at < size; ++at) {
      least = before(heap_[at], heap_[least]) != 0 ? at : least;
    }
    return iteration_of(heap_[least]);
  }

  void schedule(double time, const Event& event) {
    const bool iteration = event.kind == EventKind::iteration_end;
    const Key key{bits_of(time), scheduled_++, iteration ? ITERATION | event.stage : put(event)};
    if (vacant_) {
      vacant_ = false;
      return sink(key);
    }
    std::size_t at = heap_.size();
    heap_.push_back(key);
    while (at != 0) {
      const std::size_t above = (at - 1) / ARITY;
      if (!before(key, heap_[above])) {
        break;
      }
      heap_[at] = heap_[above];
      at = above;
    }
    heap_[at] = key;
  }

  Event pop() {
    close();
    vacant_ = true;
    const Key& key = heap_.front();
    if (const std::uint32_t stage = iteration_of(key); stage != NO_STAGE) {
      Event event;
      event.kind = EventKind::iteration_end;
      event.stage = stage;
      return event;
    }
    free_.push_back(key.place);
    return events_[key.place];
  }

  // The same event again, later.
  void postpone_first(double time) { sink({bits_of(time), scheduled_++, heap_.front().place}); }

 private:
  static constexpr std::size_t ARITY = 4;
  static constexpr std::uint32_t ITERATION = std::uint32_t{1} << 31;

  // The end of an iteration is known by its stage, which is its `place`; that of another event
  // says where it is. The bits of a time are in the order of times: none is negative.
  struct Key {
    std::uint64_t time;
    std::uint64_t number;
    std::uint32_t place;
  };

  static std::uint32_t iteration_of(const Key& key) {
    return (key.place & ITERATION) != 0 ? key.place & ~ITERATION : NO_STAGE;
  }

  static std::uint64_t bits_of(double time) { return std::bit_cast<std::uint64_t>(time + 0.0); }
  static double time_of(const Key& key) { return std::bit_cast<double>(key.time); }

  // Without a branch, which could not be foreseen.
  static std::size_t before(const Key& a, const Key& b) {
    return static_cast<std::size_t>(a.time < b.time) |
           (static_cast<std::size_t>(a.time == b.time) &
            static_cast<std::size_t>(a.number < b.number));
  }

  static std::size_t least_of_four(const Key* keys) {
    const std::size_t low = before(keys[1], keys[0]);
    const std::size_t high = 2 + before(keys[3], keys[2]);
    return low + (high - low) * before(keys[high], keys[low]);
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

  void close() {
    if (vacant_) {
      vacant_ = false;
      const Key moved = heap_.back();
      heap_.pop_back();
      if (!heap_.empty()) {
        sink(moved);
      }
    }
  }

  // Puts a key where the first one was.
  void sink(const Key& moved) {
    Key* const heap = heap_.data();
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t below = 1; below < size; below = ARITY * at + 1) {
      std::size_t least = below;
      if (below + ARITY <= size) {
        least += least_of_four(heap + below);
      } else {
        for (std::size_t other = below + 1; other < size; ++other) {
          least = before(heap[other], heap[least]) != 0 ? other : least;
        }
      }
      if (!before(heap[least], moved)) {
        break;
      }
      heap[at] = heap[least];
      at = least;
    }
    heap[at] = moved;
  }

  std::vector<Key> heap_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> free_;  // places of events that were taken
  std::uint64_t scheduled_ = 0;
  bool vacant_ = false;
};

}  // namespace serq
