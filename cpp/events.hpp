// Twin of src/serq/semantics/events.py. An event is the kind of its handler and what that is
// told. The heap is four-ary: as many comparisons as a binary one, half the moves.
#pragma once

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
  double time = 0.0;
  std::uint64_t number = 0;
  EventKind kind = EventKind::arrive;
  std::uint32_t stage = 0;
  std::uint64_t told = 0;
  std::uint64_t epoch = 0;
  Job* job = nullptr;
  Session* session = nullptr;
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  const Event& first() const { return heap_.front(); }

  // When the event after the first one is; never when there is none.
  double second_time() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = 1; at <= ARITY && at < heap_.size(); ++at) {
      least = heap_[at].time < least ? heap_[at].time : least;
    }
    return least;
  }

  void schedule(double time, Event event) {
    event.time = time;
    event.number = scheduled_++;
    std::size_t at = heap_.size();
    heap_.push_back(event);
    while (at != 0) {
      const std::size_t above = (at - 1) / ARITY;
      if (!before(event, heap_[above])) {
        break;
      }
      heap_[at] = heap_[above];
      at = above;
    }
    heap_[at] = event;
  }

  Event pop() {
    const Event first = heap_.front();
    const Event moved = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
      sink(moved);
    }
    return first;
  }

 private:
  static constexpr std::size_t ARITY = 4;

  static bool before(const Event& a, const Event& b) {
    return a.time < b.time || (a.time == b.time && a.number < b.number);
  }

  void sink(const Event& moved) {
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t below = 1; below < size; below = ARITY * at + 1) {
      std::size_t least = below;
      const std::size_t end = below + ARITY < size ? below + ARITY : size;
      for (std::size_t other = below + 1; other < end; ++other) {
        if (before(heap_[other], heap_[least])) {
          least = other;
        }
      }
      if (!before(heap_[least], moved)) {
        break;
      }
      heap_[at] = heap_[least];
      at = least;
    }
    heap_[at] = moved;
  }

  std::vector<Event> heap_;
  std::uint64_t scheduled_ = 0;
};

}  // namespace serq
