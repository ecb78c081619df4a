// Twin of src/serq/semantics/machine.py.
#include "machine.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "admission.hpp"
#include "holds.hpp"
#include "numbers.hpp"
#include "preemption.hpp"
#include "stages/delay.hpp"
#include "stages/fifo.hpp"
#include "stages/ps.hpp"
#include "stages/step.hpp"
#include "statements.hpp"
#include "steady/fetch_ahead.hpp"
#include "steady/refusal.hpp"
#include "workload.hpp"

namespace serq {

Machine::Machine(const ir::Program& is, const Options& asked)
    : program(is),
      options(asked),
      streams(is.seed),
      statement_stream(&streams.session),
      warm(is.warmup <= 0.0),
      watch(asked.limit_events, asked.poll),
      after_horizon(std::nextafter(is.horizon, std::numeric_limits<double>::infinity())),
      last_finite(std::min(is.horizon, std::numeric_limits<double>::max())),
      limited(is.arrivals.has_value()),
      estimates(is.estimates),
      observes(is.observes),
      sample_streams(asked.samples ? 0 : is.observes),
      nobody(is.attributes, std::numeric_limits<double>::quiet_NaN()),
      step_scope(scope_of_nobody()),
      pool_counts(is.pools.size()),
      flows(is.share),
      gauges(*this) {
  pools.reserve(is.pools.size());
  for (const ir::Pool& pool : is.pools) {
    const auto index = static_cast<std::uint32_t>(pools.size());
    pools.emplace_back(index, pool, pool_counts[index]);
    evictors.emplace_back(*this);
  }
  awaited.set_end(is.pools.size());
  make_stages(*this);
  connect(*this);
}

[[gnu::always_inline]] inline void Machine::end(Session& session) {
  if (session.job != nullptr || session.is_waiting || session.status == Status::growing) {
    withdraw(*this, session);
  }
  session.frames.clear();
  if (!session.holds.empty() || !session.leases.empty()) {
    give_up_all(session);
  }
  forget_entries(session);
  session.status = Status::ended;
  gone.push_back(&session);
  --live;
  if (warm) {
    ++ended;
  }
  if (std::holds_alternative<ir::Closed>(program.arrival)) {
    spawn(*this, nullptr);
  }
}

[[gnu::noinline]] void Machine::give_up_all(Session& session) {
  while (!session.holds.empty()) {
    Hold& hold = *session.holds.back();
    session.holds.pop_back();
    for (const Held& held : hold.holdings) {
      give_up(*this, session, *held.holding);
    }
    holds.give_back(hold);
  }
  while (!session.leases.empty()) {
    end_lease(*this, session, session.leases.front().number);
  }
}

// Those that are ready; `alone` when nothing is under way but the settling: who has ended may then
// be forgotten at once.
[[gnu::always_inline]] inline void Machine::run_sessions(bool alone) {
  while (!ready.empty()) {
    const std::uint64_t serial = ready[next_ready].serial;
    Session& session = *ready[next_ready].session;
    if (++next_ready == ready.size()) {
      ready.clear();
      next_ready = 0;
    }
    if (session.serial == serial &&
        (session.status == Status::ready || session.status == Status::deferred)) {
      if (++watch.steps >= watch.next_look) {
        watch.look(*this, &session);
        ready.erase(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(next_ready));
        next_ready = 0;
      }
      run_session(*this, session);
      if (alone) {
        give_back_gone();
      }
    }
  }
}

[[gnu::noinline]] void Machine::run_ready() { run_sessions(false); }

[[gnu::noinline]] void Machine::run_ready_alone() { run_sessions(true); }

void Machine::try_all() {
  assert(spared_are_refused(*this));
  if (awaited.empty()) {
    return;
  }
  awaited.each(pools.size(), [&](std::uint64_t at) {
    Pool& pool = pools[at];
    if (!pool.growers.empty()) {
      retry_growers(*this, pool);
    }
    if (!pool.queue.empty() && pool.engine == nullptr) {
      admit(*this, pool);
    }
    if (all_refused(*this, pool)) {
      awaited.remove(at);
    }
  });
}

// Part of the loop over events: most of them end here, after the statements of a session.
[[gnu::always_inline]] inline void Machine::settle() {
  run_sessions(true);
  while (!awaited.empty()) {
    try_all();
    if (ready.empty()) {
      break;
    }
    run_ready_alone();
  }
  const bool engines = !unsettled.empty() && !settle_alone() && settle_stages();
  if (flows.touched()) {
    settle_flows(engines);
  }
}

[[gnu::noinline]] void Machine::settle_flows(bool engines) {
  if (engines) {
    catch_up_all(*this);
  }
  flows.settle(*this);
}

[[gnu::noinline]] void Machine::move_last_up() {
  std::ranges::push_heap(unsettled, std::greater<>{});
}

[[gnu::noinline]] void Machine::move_first_back() {
  std::ranges::pop_heap(unsettled, std::greater<>{});
}

std::uint32_t Machine::first_unsettled() {
  if (unsettled.size() > 1) {
    move_first_back();
  }
  const std::uint32_t index = unsettled.back();
  unsettled.pop_back();
  return index;
}

// Of one ps stage, whose settling concerns nobody else; false if it is not that.
[[gnu::always_inline]] inline bool Machine::settle_alone() {
  Stage& stage = stages[unsettled.front()];
  Ps* const ps = std::get_if<Ps>(&stage.kind);
  if (unsettled.size() != 1 || ps == nullptr || !ps->by_present) {
    return false;
  }
  unsettled.clear();
  stage.unsettled = false;
  settle_share(*this, stage, *ps);
  return true;
}

// An engine begins when nothing else happens at the instant, and others settle before it if
// something does: were it the end of a sleeper's iteration, their events would be in another
// order. Whether some engine was settled.
[[gnu::noinline]] bool Machine::settle_stages() {
  const bool pending = events.first_time() <= now;
  bool engines = false;
  std::int64_t passed = -1;
  while (!unsettled.empty()) {
    const std::uint32_t index = first_unsettled();
    Stage& stage = stages[index];
    stage.unsettled = false;
    if (index <= passed) {
      later.push_back(index);
      continue;
    }
    passed = index;
    const bool engine = std::holds_alternative<Step>(stage.kind);
    if (engines && !engine) {
      catch_up_all(*this);
    }
    engines = engines || (engine && !pending);
    if (serq::settle(*this, stage, pending)) {
      later.push_back(index);
    }
  }
  for (const std::uint32_t index : later) {
    unsettle(stages[index]);
  }
  later.clear();
  return engines;
}

[[gnu::always_inline]] inline void Machine::handle(const Event& event) {
  switch (event.kind) {
    case EventKind::arrive:
      return do_arrive(*this);
    case EventKind::end_warmup:
      return do_end_warmup(*this);
    case EventKind::delay_finish:
      return finish<Delay>(event.stage, *event.job, event.told);
    case EventKind::fifo_finish:
      return finish<Fifo>(event.stage, *event.job, event.told);
    case EventKind::ps_finish:
      return finish<Ps>(event.stage, *event.job, event.told);
    case EventKind::flow_finish:
      return flows.do_finish(*this, *event.job, event.told);
    case EventKind::iteration_end:
      return do_iteration_end(*this, stages[event.stage]);
    case EventKind::lease_end:
      return do_lease_end(*this, *event.session, event.told);
  }
}

// Goes to the instant of the next event; false when there is none before the run is over.
[[gnu::always_inline]] inline bool Machine::go_on() {
  if (!sleepers.empty()) {
    rouse_if_restless(*this);
  }
  const double time = events.first_time();
  if (time > last_finite && (events.empty() || time > program.horizon)) {
    return false;
  }
  if (limited && drained()) {
    return false;
  }
  first_of_instant = time > now;
  if (first_of_instant) {
    end_instant();
    now = time;
  }
  give_back_gone();
  return true;
}

void Machine::run() {
  large = is_large(*this);
  if (!warm) {
    events.schedule(program.warmup, EventKind::end_warmup, 0, 0, nullptr, nullptr);
  }
  start_arrivals(*this);
  settle();
  while (go_on()) {
    const Event event = events.pop();
    if (large) {
      fetch_ahead(*this, event);
    }
    const bool asleep =
        event.kind == EventKind::iteration_end && sleeps_on(*this, stages[event.stage]);
    watch.steps += asleep ? 0 : 1;
    if (watch.steps >= watch.next_look) {
      watch.look(*this, event.session, event.kind, event.stage);
    }
    if (asleep) {
      continue;
    }
    ++happened;
    handle(event);
    settle();
    assert(spared_are_refused(*this));
    if (counting) {
      run_ahead(*this);
    }
  }
  end_instant();
  const double last = apply_all(*this, after_horizon);
  if (!limited) {
    now = program.horizon;
  } else {
    now = last;
    check_drained();
  }
}

bool Machine::drained() const { return live == 0 && arrivals >= *program.arrivals; }

void Machine::check_drained() const {
  const Place place{Part::arrivals, 0, 0, 0};
  if (arrivals < *program.arrivals) {
    throw RunError{ErrorKind::not_arrived, {}, {arrivals}, place};
  }
  if (live != 0) {
    throw RunError{ErrorKind::not_ended, {}, {live}, place};
  }
  if (now <= program.warmup) {
    throw RunError{ErrorKind::within_warmup, {}, {}, place};
  }
}

[[gnu::always_inline]] inline void Machine::end_instant() {
  live_average.record(real(live), now);
  if (!gauges.empty()) {
    const bool some = !changed_pools.empty() || !changed_stages.empty();
    if (some || !gauges.begun()) {
      gauges.read(now);
    }
  }
  if (!changed_pools.empty()) {
    record_pools();
  }
  for (Stage* stage : changed_stages) {
    stage->record(now);
  }
  changed_stages.clear();
  watch.allowed = watch.steps + watch.limit;
}

[[gnu::noinline]] void Machine::record_pools() {
  for (Pool* pool : changed_pools) {
    pool->record(now);
  }
  changed_pools.clear();
}

void do_end_warmup(Machine& machine) {
  apply_all(machine, machine.now);  // the first event of its instant: it was scheduled first
  machine.warm = true;
  machine.live_average.restart(machine.now);
  for (Pool& pool : machine.pools) {
    pool.restart(machine.now);
  }
  for (Stage& stage : machine.stages) {
    stage.restart(machine.now);
  }
}

namespace {

Outcome run_once(const ir::Program& program, const Options& options, bool sleep) {
  const Arena arena;
  Machine machine(program, options);
  machine.may_sleep = machine.may_sleep && sleep;
  Outcome outcome;
  try {
    machine.run();
  } catch (const RunError& error) {
    outcome.error = error;
  } catch (const Interrupted&) {
    apply_all(machine, machine.now);
    outcome.partial = true;
  }
  outcome.now = machine.now;
  outcome.slept = machine.slept;
  if (!outcome.error) {
    outcome.measurements = measure(machine);
  }
  return outcome;
}

}  // namespace

Outcome run(const ir::Program& program, const Options& options) {
  try {
    return run_once(program, options, true);
  } catch (const Doubt&) {
    Outcome outcome = run_once(program, options, false);
    outcome.restarted = true;
    return outcome;
  }
}

}  // namespace serq
