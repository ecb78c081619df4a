#include <algorithm>
#include <cassert>
#include <cmath>

#include "machine.hpp"
#include "stages/step.hpp"
#include "steady/fetch_ahead.hpp"
#include "steady/refusal.hpp"
#include "steady/steady.hpp"

namespace serq {
namespace {

// How many iterations an engine foresees at first, and at most.
constexpr std::uint64_t LEAST_SIGHT = 64;
constexpr std::uint64_t MOST_SIGHT = 256;

// Who grows in the engine's pool while asleep: the engine, or nobody.
void set_sleeper(const Steady& steady, Stage* stage) {
  if (steady.pool != nullptr) {
    steady.pool->sleeper = stage;
  }
}

// Iterations that have ended before `before` are applied.
void apply(Machine& machine, Stage& stage, Step& step, double before) {
  Steady& steady = step.steady;
  Clock clock{steady.last_token, steady.end, before};
  if (!clock.may_end()) {
    return;
  }
  assert(steady.pool == nullptr || !steady.pool->changed);
  const double now = machine.now;
  machine.changed_pools.swap(machine.set_aside);
  set_sleeper(steady, nullptr);
  const std::uint64_t done = advance(machine, stage, step, clock, FOREVER);
  machine.watch.allowed += done;
  machine.slept += done;
  steady.end = clock.end;
  set_sleeper(steady, &stage);
  machine.changed_pools.swap(machine.set_aside);
  machine.now = now;
}

// Whether nothing would come of settling it at the next event, which is `pending` now or later.
bool settled(const Stage& stage, bool pending) {
  const auto* step = std::get_if<Step>(&stage.kind);
  return step != nullptr &&
         (pending || step->running || (step->residents.empty() && step->queued == 0));
}

void awaken(Machine& machine, const Stage& stage, Steady& steady) {
  steady.asleep = false;
  end_foresight(steady);
  set_sleeper(steady, nullptr);
  machine.sleepers.remove(stage.index);
}

template <typename Visit>
void each_sleeper(Machine& machine, const Visit& visit) {
  machine.sleepers.each(machine.stages.size(),
                        [&](std::uint64_t index) { visit(machine.stages[index]); });
}

}  // namespace

bool restless(const Machine& machine) {
  const bool pending = machine.events.first_time() <= machine.now;
  return !machine.awaited.empty() || !machine.ready.empty() ||
         machine.flows.touched() ||
         std::ranges::any_of(machine.unsettled, [&](std::uint32_t index) {
           return !settled(machine.stages[index], pending);
         });
}

bool counts_alone(const Step& step) {
  const Composition& composition = step.composition;
  return step.running && step.steady.counted != 0 && step.steady.others.empty() &&
         step.plan.batch.empty() && step.queued == 0 &&
         composition.decodes == step.steady.counted && composition.prefills == 0;
}

void allow_sleep(Machine& machine) {
  std::size_t engines = 0;
  bool all_stay = true;
  for (const Stage& stage : machine.stages) {
    if (const auto* step = std::get_if<Step>(&stage.kind)) {
      ++engines;
      all_stay = all_stay && step->cost_stays;
    }
  }
  machine.may_sleep = machine.counting && machine.gauges.empty() &&
                      engines > 1 && all_stay;
  machine.watch.sleepers = machine.may_sleep ? engines : 0;
  machine.sleepers.set_end(machine.stages.size());
}

double fall_asleep(Machine& machine, Stage& stage, Step& step, double end) {
  Steady& steady = step.steady;
  if (!machine.may_sleep || !machine.awaited.empty() || !counts_alone(step) ||
      !(machine.now < end) ||
      (steady.pool != nullptr && steady.pool->sleeper != nullptr)) {
    return end;
  }
  begin_foresight(machine, step);
  foresee(machine, step, LEAST_SIGHT);
  const double last_end = end_of_foreseen(steady, end);
  if (steady.foreseen_to == steady.begun || !std::isfinite(last_end)) {
    end_foresight(steady);
    return end;
  }
  steady.asleep = true;
  steady.end = end;
  steady.sight = LEAST_SIGHT;
  machine.sleepers.add(stage.index);
  set_sleeper(steady, &stage);
  return last_end;
}

bool sleeps_on(Machine& machine, Stage& stage) {
  Step& step = std::get<Step>(stage.kind);
  Steady& steady = step.steady;
  if (!steady.asleep) {
    return false;
  }
  apply(machine, stage, step, machine.now);
  steady.sight = std::min(2 * steady.sight, MOST_SIGHT);
  foresee(machine, step, steady.sight);
  const double last_end = end_of_foreseen(steady, steady.end);
  if (steady.foreseen_to == steady.begun) {
    return false;
  }
  machine.events.schedule_iteration(last_end, stage.index);
  return true;
}

void catch_up(Machine& machine, Stage& stage) {
  Step& step = std::get<Step>(stage.kind);
  if (!step.steady.asleep) {
    return;
  }
  fetch_slept(machine, step);
  apply(machine, stage, step, machine.now);
  if (step.steady.end <= machine.now) {
    throw Doubt{};
  }
}

void catch_up_all(Machine& machine) {
  each_sleeper(machine, [&](Stage& stage) { catch_up(machine, stage); });
}

double apply_all(Machine& machine, double before) {
  double last = machine.now;
  each_sleeper(machine, [&](Stage& stage) {
    Step& step = std::get<Step>(stage.kind);
    apply(machine, stage, step, before);
    last = std::max(last, step.steady.last_token);
  });
  return last;
}

void rouse(Machine& machine, Stage& stage) {
  Steady& steady = std::get<Step>(stage.kind).steady;
  if (steady.asleep) {
    catch_up(machine, stage);
    awaken(machine, stage, steady);
    steady.roused = true;
    machine.events.schedule_iteration(steady.end, stage.index);
  }
}

void rouse_if_restless(Machine& machine) {
  if (!machine.awaited.empty()) {
    spare_refused(machine);
  }
  while (!machine.sleepers.empty() && restless(machine)) {
    rouse(machine, machine.stages[machine.sleepers.first_from(0, machine.stages.size())]);
  }
}

void wake(Machine& machine, Stage& stage, Step& step) {
  Steady& steady = step.steady;
  if (!steady.asleep && !steady.roused) {
    return;
  }
  if (!machine.first_of_instant || !(machine.events.first_time() > machine.now)) {
    throw Doubt{};
  }
  if (steady.asleep) {
    apply(machine, stage, step, machine.now);
    if (steady.end != machine.now) {
      throw Doubt{};
    }
    awaken(machine, stage, steady);
  }
  steady.roused = false;
}

}  // namespace serq
