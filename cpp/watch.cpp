// Twin of src/serq/semantics/watch.py.
#include "watch.hpp"

#include <algorithm>

#include "machine.hpp"

namespace serq {
namespace {

constexpr std::uint64_t STEPS_BETWEEN_LOOKS = 256;
constexpr std::chrono::milliseconds TIME_BETWEEN_POLLS{50};

Place place_of(const Session* session, EventKind kind, std::uint32_t stage) {
  if (session != nullptr) {
    return session->loop_place();
  }
  if (kind == EventKind::arrive || kind == EventKind::end_warmup) {
    return {Part::arrival, 0, 0, 0};
  }
  return {Part::stage, stage, 0, 0};
}

}  // namespace

Watch::Watch(std::uint64_t events, const Poll& asked)
    : poll(&asked),
      limit(events),
      allowed(events),
      next_poll(std::chrono::steady_clock::now() + TIME_BETWEEN_POLLS) {}

void Watch::look(Machine& machine, const Session* session, EventKind kind, std::uint32_t stage) {
  if (steps > allowed) {
    throw RunError{ErrorKind::events, {}, {limit}, place_of(session, kind, stage)};
  }
  if (steps + sleepers > allowed) {
    catch_up_all(machine);  // ends of their iterations at this instant would count
  }
  const auto time = std::chrono::steady_clock::now();
  if (time >= next_poll) {
    next_poll = time + TIME_BETWEEN_POLLS;
    if (*poll && !(*poll)({machine.now, machine.happened, machine.live})) {
      throw Interrupted{};
    }
  }
  const std::uint64_t careful = allowed + 1 - std::min(sleepers, limit);
  next_look = std::max(steps + 1, std::min(steps + STEPS_BETWEEN_LOOKS, careful));
}

}  // namespace serq
