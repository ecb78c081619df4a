#include <algorithm>

#include "machine.hpp"
#include "stages/step.hpp"
#include "steady/steady.hpp"

namespace serq {
namespace {

// Whether the instant is settled, and nobody has to be asked at the next one.
bool quiet(const Machine& machine) {
  return !machine.may_sleep && !restless(machine) && machine.gauges.empty();
}

constexpr double MOST_AHEAD = 1024.0;

// How many iterations to foresee: about as many as may end in time.
std::uint64_t sight(const Steady& steady, const Clock& clock) {
  const double iterations = 1.0 + (clock.before - clock.end) / steady.cost;
  return static_cast<std::uint64_t>(iterations < MOST_AHEAD ? iterations : MOST_AHEAD) + 1;
}

std::uint64_t looks_left(const Watch& watch) {
  return watch.next_look > watch.steps ? watch.next_look - watch.steps - 1 : 0;
}

// Iterations are taken as long as they may be. Whether any was.
bool go_on(Machine& machine, Stage& stage, Step& step, Clock& clock) {
  const Steady& steady = step.steady;
  bool some = false;
  begin_foresight(machine, step);
  while (clock.may_end() && steady.next_end != steady.ended + 1) {
    foresee(machine, step, sight(steady, clock));
    if (steady.foreseen_to == steady.begun) {
      break;
    }
    if (!some) {
      machine.end_instant();
      some = true;
    }
    if (advance(machine, stage, step, clock, looks_left(machine.watch)) == 0) {
      break;
    }
  }
  end_foresight(step.steady);
  return some;
}

}  // namespace

void run_ahead(Machine& machine) {
  if (!quiet(machine)) {
    return;
  }
  EventQueue& events = machine.events;
  while (looks_left(machine.watch) != 0 && events.first_iteration() != EventQueue::NO_STAGE) {
    Stage& stage = machine.stages[events.first_iteration()];
    Step& step = std::get<Step>(stage.kind);
    Clock clock{step.steady.last_token, events.first_time(),
                std::min(events.second_time(), machine.after_horizon)};
    if (!step.cost_stays || !counts_alone(step) || machine.now == clock.end || !clock.may_end()) {
      return;
    }
    if (!go_on(machine, stage, step, clock)) {
      return;
    }
    events.schedule_iteration(clock.end, stage.index);
  }
}

}  // namespace serq
