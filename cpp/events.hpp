// Twin of src/serq/semantics/events.py. An event is the kind of its handler and what that is
// told.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "structures/key.hpp"
#include "structures/large_pages.hpp"
#include "structures/latest_keys.hpp"
#include "structures/soonest.hpp"

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

// Ends of iterations, one of each busy engine, come and go faster than all others, and may move:
// they have keys of their own, whose place is the stage.
class EventQueue {
 public:
  static constexpr std::uint32_t NO_STAGE = 0xffff'ffff;

  bool empty() const { return others_.empty() && iterations_.empty(); }

  // When the first event is; infinity when there is none.
  double first_time() const {
    return std::bit_cast<double>(std::min(others_.first_time(), iterations_.first_time()));
  }

  // Of which stage an iteration ends first; NO_STAGE when something else is first.
  std::uint32_t first_iteration() const {
    return iteration_first() ? iterations_.first().place : NO_STAGE;
  }

  // When an iteration is first: when the event after it is.
  double second_time() const {
    return std::bit_cast<double>(std::min(others_.first_time(), iterations_.second_time()));
  }

  // Of which stage an iteration ends when so many others have, as far as that is known without
  // search; and which event of another kind comes after so many others.
  std::uint32_t iteration_after(std::size_t many) const {
    return many < iterations_.in_order() ? iterations_.place_after(many) : NO_STAGE;
  }

  const Event* other_after(std::size_t many) const {
    return many < others_.in_order() ? &events_[others_.place_after(many)] : nullptr;
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
    iterations_.set(std::bit_cast<std::uint64_t>(time + 0.0), scheduled_++, stage);
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
  bool iteration_first() const {
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

  Soonest<LatestKeys> iterations_;
  Soonest<AllKeys> others_;
  std::vector<Event, LargePages<Event>> events_;
  std::uint32_t free_ = NO_PLACE;  // of an event that was taken; its `stage` is the next such place
  std::uint64_t scheduled_ = 0;
};

}  // namespace serq
