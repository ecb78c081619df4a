// Twin of src/serq/semantics/workload.py.
#include "workload.hpp"

#include <cmath>

#include "expressions.hpp"
#include "machine.hpp"
#include "statements.hpp"

namespace serq {
namespace {

constexpr Place ARRIVAL{Part::arrival, 0, 0, 0};

[[gnu::always_inline]] inline void schedule_arrival(Machine& machine, double time) {
  machine.events.schedule(time, EventKind::arrive, 0, 0, nullptr, nullptr);
}

void spawn_many(Machine& machine, std::uint64_t count) {
  machine.expect_sessions(count);
  for (std::uint64_t each = 0; each < count; ++each) {
    spawn(machine, nullptr);
  }
}

std::size_t pick(Machine& machine, const Session& session) {
  const std::size_t recorded = machine.options.recorded.size();
  const ir::Program& program = machine.program;
  if (program.trace_ordered || std::holds_alternative<ir::TraceArrivals>(program.arrival)) {
    return session.serial % recorded;
  }
  return draw_trace_pick(machine.streams.trace, static_cast<std::uint32_t>(recorded));
}

[[gnu::always_inline]] inline void make_session(Machine& machine, const ir::Preset* preset) {
  const ir::Program& program = machine.program;
  Session& session = machine.sessions.take();
  session.start(machine.arrivals, program.attributes);
  session.attributes[program.slots.serial] = static_cast<double>(session.serial);
  if (preset != nullptr && !preset->turns.empty()) {
    session.turns = &preset->turns;
  } else if (!machine.options.recorded.empty()) {
    session.turns = &machine.options.recorded[pick(machine, session)];
  }
  ++machine.arrivals;
  ++machine.live;
  machine.expect_sessions(machine.live);
  if (!program.blocks[program.init].empty()) {
    run_workload_block(machine, session, program.init);
  }
  if (preset != nullptr) {
    for (const auto& [slot, value] : preset->attributes) {
      session.attributes[slot] = value;
    }
  }
  enter_block(machine, session, program.session, FrameKind::plain);
  machine.make_ready(session);
}

}  // namespace

void start_arrivals(Machine& machine) {
  const ir::Arrival& arrival = machine.program.arrival;
  if (std::holds_alternative<ir::Poisson>(arrival)) {
    schedule_arrival(machine, 0.0);
  } else if (std::holds_alternative<ir::Renewal>(arrival)) {
    schedule_arrival(machine, next_gap(machine));
  } else if (const auto* closed = std::get_if<ir::Closed>(&arrival)) {
    spawn_many(machine, closed->count);
  } else if (const auto* batch = std::get_if<ir::Batch>(&arrival)) {
    spawn_many(machine, batch->count);
  } else if (const auto* given = std::get_if<ir::Sessions>(&arrival)) {
    machine.expect_sessions(given->sessions.size());
    for (const ir::Preset& preset : given->sessions) {
      spawn(machine, &preset);
    }
  } else if (std::holds_alternative<ir::TraceArrivals>(arrival)) {
    schedule_arrival(machine, recorded_arrival(machine, 0));
  }
}

[[gnu::always_inline]] inline double next_gap(Machine& machine) {
  if (const auto* poisson = std::get_if<ir::Poisson>(&machine.program.arrival)) {
    return machine.gaps.next(machine.streams.arrivals, poisson->rate);
  }
  const ir::Renewal& renewal = std::get<ir::Renewal>(machine.program.arrival);
  const Scope scope(machine, machine.streams.arrivals, nullptr, machine.nobody.data());
  const double gap = evaluate_at(renewal.gap, scope, ARRIVAL);
  if (!(gap > 0.0 && std::isfinite(gap))) {
    throw RunError{ErrorKind::gap, {gap}, {}, ARRIVAL};
  }
  return gap;
}

double recorded_arrival(const Machine& machine, std::uint64_t number) {
  const ir::TraceArrivals& arrival = std::get<ir::TraceArrivals>(machine.program.arrival);
  return arrival.scale * machine.options.times[number];
}

[[gnu::always_inline]] inline void do_arrive(Machine& machine) {
  const std::optional<std::uint64_t>& limit = machine.program.arrivals;
  if (!limit || machine.arrivals < *limit - 1) {
    if (const std::optional<double> time = next_arrival(machine)) {
      schedule_arrival(machine, *time);
    }
  }
  make_session(machine, nullptr);
}

[[gnu::always_inline]] inline std::optional<double> next_arrival(Machine& machine) {
  if (!std::holds_alternative<ir::TraceArrivals>(machine.program.arrival)) {
    return machine.now + next_gap(machine);
  }
  const std::uint64_t number = machine.arrivals + 1;
  if (number >= machine.options.times.size()) {
    return std::nullopt;
  }
  return recorded_arrival(machine, number);
}

void spawn(Machine& machine, const ir::Preset* preset) { make_session(machine, preset); }

void next_turn(Machine& machine, Session& session) {
  const ir::Program& program = machine.program;
  session.attributes[program.slots.turn_no] += 1.0;
  if (machine.warm) {
    ++machine.turns;
  }
  if (session.turns != nullptr) {
    const std::vector<ir::Values>& turns = *session.turns;
    double more = 0.0;
    if (session.turns_taken < turns.size()) {
      for (const auto& [slot, value] : turns[session.turns_taken]) {
        session.attributes[slot] = value;
      }
      ++session.turns_taken;
      more = session.turns_taken < turns.size() ? 1.0 : 0.0;
    }
    session.attributes[program.slots.more] = more;
  }
  run_workload_block(machine, session, program.turn);
}

void run_workload_block(Machine& machine, Session& session, std::uint32_t block) {
  machine.statement_stream = &machine.streams.workload;
  const ir::Block& statements = machine.program.blocks[block];
  for (std::uint32_t at = 0; at < statements.size(); ++at) {
    try {
      if (const auto* set = std::get_if<ir::Set>(&statements[at])) {
        do_set(machine, session, *set);
      } else if (const auto* observe = std::get_if<ir::Observe>(&statements[at])) {
        do_observe(machine, session, *observe);
      }
    } catch (const RunError& error) {
      throw error.placed({Part::statement, block, at, 0});
    }
  }
  machine.statement_stream = &machine.streams.session;
}

}  // namespace serq
