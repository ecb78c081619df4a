// Twin of src/serq/semantics/watch.py. Who wants to stop the run or know where it is is asked
// through `poll`, which knows Python; it is called twenty times a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace serq {

enum class EventKind : std::uint8_t;
struct Machine;
struct Session;

struct Progress {
  double now = 0.0;
  std::uint64_t events = 0;
  std::uint64_t live = 0;
};

// False when the run is to end.
using Poll = std::function<bool(const Progress&)>;

// Thrown by `look`, caught by `run`.
struct Interrupted {};

struct Watch {
  Watch(std::uint64_t events, const Poll& asked);

  // At a session's statements, or at an event of that kind that is about that stage.
  void look(Machine& machine, const Session* session, EventKind kind = {}, std::uint32_t stage = 0);

  const Poll* poll;
  std::uint64_t limit;
  std::uint64_t steps = 0;
  std::uint64_t allowed;
  std::uint64_t next_look = 1;
  std::uint64_t sleepers = 0;  // as many engines at most are asleep at the same time
  std::chrono::steady_clock::time_point next_poll;
};

}  // namespace serq
