#include <algorithm>

#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "stages/step.hpp"
#include "steady/steady.hpp"

namespace serq {
namespace {

// Whether the instant is settled, and nobody has to be asked at the next one.
bool quiet(const Machine& machine) {
  return machine.counting && machine.waiting == 0 && machine.ready.empty() && machine.unsettled.empty() &&
         machine.gauges.empty() && !machine.flows.touched() && !machine.events.empty();
}

bool counts_alone(const Step& step) {
  return step.running && step.steady.counted != 0 && step.steady.others.empty() &&
         step.plan.batch.empty() && step.queued == 0;
}

// Where the loop over iterations is, and what stops it.
struct Ahead {
  double now;
  double end;  // of the iteration that runs
  double next;  // when something else happens
  double horizon;

  bool may_end() const { return end < next && end <= horizon && end > now; }
};

std::uint64_t looks_left(const Watch& watch) {
  return watch.next_look > watch.steps ? watch.next_look - watch.steps - 1 : 0;
}

// How many iterations may end, and the next ones begin, before somebody leaves or grows.
std::uint64_t undisturbed(const Steady& steady) {
  std::uint64_t growth = steady.next_phase;
  if (!steady.growths.empty()) {
    growth = std::min(growth, steady.growths.front().iteration);
  }
  return std::min(steady.next_end - steady.ended, growth - steady.begun) - 1;
}

// Iterations that are alike end, and the next one costs the same. Returns how many did.
std::uint64_t repeat(Step& step, bool warm, double cost, std::uint64_t most, Ahead& ahead) {
  const std::uint64_t residents = step.steady.counted;
  LogHistogram& gaps = step.gaps;
  Composition composition = step.composition;  // a copy stays in registers
  std::uint64_t done = 0;
  while (done != most && ahead.may_end()) {
    if (warm) {
      gaps.add_many(ahead.end - ahead.now, residents);
    }
    ahead.now = ahead.end;
    composition.begin(residents, 0, cost, warm);
    ahead.end += cost;
    ++done;
  }
  step.composition = composition;
  return done;
}

// Nobody came or went since the last time.
void end_instant_if_changed(Machine& machine) {
  if (!machine.changed_pools.empty()) {
    machine.end_instant();
  }
}

void repeat_alike(Machine& machine, Stage& stage, Step& step, Ahead& ahead) {
  Steady& steady = step.steady;
  const std::uint64_t most = std::min(undisturbed(steady), looks_left(machine.watch));
  if (!steady.cost_known || most == 0 || !ahead.may_end()) {
    return;
  }
  end_instant_if_changed(machine);
  const std::uint64_t done = repeat(step, machine.warm, steady.cost, most, ahead);
  machine.now = steady.last_token = ahead.now;
  machine.watch.steps += done;
  machine.happened += done;
  stage.iterations += done;
  steady.begun += done;
  steady.ended += done;
  steady.grown = steady.begun;
}

// Ends iterations and begins the next. False when the general path has to begin it.
bool take_iterations(Machine& machine, Stage& stage, Step& step, Ahead& ahead) {
  Steady& steady = step.steady;
  machine.end_instant();
  do {
    end_instant_if_changed(machine);
    machine.now = ahead.now = ahead.end;
    ++machine.watch.steps;
    ++machine.happened;
    if (machine.warm) {
      step.gaps.add_many(machine.now - steady.last_token, steady.counted);
    }
    ++steady.ended;
    steady.last_token = machine.now;
    if (!grow_counted(machine, step, 0.0)) {
      return false;
    }
    ++steady.begun;
    const double cost = cost_of_counted(step);
    ++stage.iterations;
    step.composition.begin(steady.counted, 0, cost, machine.warm);
    ahead.end = machine.now + cost;
    repeat_alike(machine, stage, step, ahead);
  } while (ahead.may_end() && looks_left(machine.watch) != 0 &&
           steady.next_end > steady.ended + 1);
  return true;
}

// In a large fleet the engine that comes next has long left the cache.
void fetch_next(const Machine& machine) {
#if defined(__GNUC__)
  constexpr std::size_t LARGE_FLEET = 100;
  constexpr std::size_t LINE = 64;
  if (machine.stages.size() < LARGE_FLEET) {
    return;
  }
  const std::uint32_t next = machine.events.second_iteration();
  if (next != EventQueue::NO_STAGE) {
    const auto* stage = reinterpret_cast<const char*>(&machine.stages[next]);
    for (std::size_t at = 0; at < sizeof(Stage); at += LINE) {
      __builtin_prefetch(stage + at);
    }
  }
#endif
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
    Ahead ahead{machine.now, events.first_time(), events.second_time(), machine.program.horizon};
    if (!counts_alone(step) || !ahead.may_end() ||
        step.steady.next_end <= step.steady.ended + 1) {
      return;
    }
    fetch_next(machine);
    if (!take_iterations(machine, stage, step, ahead)) {
      events.pop();
      uncount_all(step);
      step.running = false;
      step.composition.end();
      machine.change(stage);
      machine.unsettle(stage);
      return machine.settle();
    }
    events.postpone_first(ahead.end);
  }
}

}  // namespace serq
