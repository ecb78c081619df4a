// Twin of src/serq/semantics/holds.py.
#include "holds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cache.hpp"
#include "expressions.hpp"
#include "machine.hpp"
#include "statements.hpp"

namespace serq {

void enter(Machine& machine, Session& session, const Stage* admitting, double budget_left) {
  const Waiting& waiting = session.waiting;
  const ir::Hold& statement = *waiting.statement;
  session.is_waiting = false;
  std::optional<double> reuse;
  if (statement.reuse) {
    Scope scope = machine.scope_of(session);
    scope.admitting = admitting;
    scope.budget_left = budget_left;
    const Place place = place_of(statement, Part::reuse);
    const double value = evaluate_at(*statement.reuse, scope, place);
    reuse = value > 0.0 ? value : 0.0;
  }
  Hold& hold = machine.holds.take();
  hold.session = &session;
  hold.statement = &statement;
  hold.leased = waiting.leased;
  hold.grown = false;
  hold.holdings.clear();
  double cached = 0.0;
  for (std::size_t at = 0; at < waiting.pools.size(); ++at) {
    Pool& pool = *waiting.pools[at];
    machine.touch(pool);
    const double own = statement.cache ? consume(machine, pool, session, reuse) : 0.0;
    const double need = pool.round_up(waiting.units[at]);
    make_room(machine, pool, need);
    pool.allocate(machine, need);
    Holding& holding = machine.holdings.take();
    holding.hold = &hold;
    holding.session = &session;
    holding.pool = &pool;
    holding.statement = &statement;
    holding.allocated = need;
    holding.position = own;
    pool.holders.push_back(holding);
    ++pool.admissions;
    hold.holdings.push_back({&pool, &holding});
    cached = own > cached ? own : cached;
  }
  session.attributes[machine.program.slots.cached] = cached;
  if (machine.warm) {
    waiting.pools.front()->wait.add(machine.now - waiting.queued_at);
  }
  session.admission = static_cast<double>(machine.admissions);
  ++machine.admissions;
  session.holds.push_back(&hold);
  enter_block(machine, session, statement.body, FrameKind::hold);
  session.status = Status::ready;
  machine.make_ready(session);
}

void leave(Machine& machine, Session& session) {
  Hold& hold = *session.holds.back();
  session.holds.pop_back();
  for (const Held& held : hold.holdings) {
    if (held.pool == hold.leased) {
      begin_lease(machine, session, *held.holding);
    } else {
      give_up(machine, session, *held.holding);
    }
  }
  machine.holds.give_back(hold);
}

void give_up(Machine& machine, Session& session, Holding& holding) {
  give_up_computed(machine, session, holding, holding.computed());
}

void give_up_computed(Machine& machine, Session& session, Holding& holding, double computed) {
  Pool& pool = *holding.pool;
  machine.touch(pool);
  pool.give_back(machine, holding);
  const std::optional<ir::Expression>& cache = holding.statement->cache;
  if (cache) {
    const Place place = place_of(*holding.statement, Part::cache);
    const double value = evaluate_at(*cache, machine.scope_of(session), place);
    const double units = machine.amount(value, place);
    keep(machine, pool, session, computed < units ? computed : units);
  }
  machine.holdings.give_back(holding);
}

void release(Machine& machine, Session& session, Pool& pool) {
  if (Holding* holding = session.innermost(pool)) {
    std::erase_if(holding->hold->holdings,
                  [&](const Held& held) { return held.holding == holding; });
    give_up(machine, session, *holding);
    session.forget_position(pool);
    return;
  }
  for (const Lease& lease : session.leases) {
    if (lease.holding->pool == &pool) {
      end_lease(machine, session, lease.number);
      return;
    }
  }
}

void begin_lease(Machine& machine, Session& session, Holding& holding) {
  const ir::Lease& clause = *holding.statement->lease;
  const Place place = place_of(*holding.statement, Part::lease_time);
  const double time =
      machine.amount(evaluate_at(clause.time, machine.scope_of(session), place), place);
  const Lease lease{machine.leases, &holding, holding.computed()};
  holding.hold = nullptr;
  ++machine.leases;
  session.leases.push_back(lease);
  if (time < std::numeric_limits<double>::infinity()) {
    Event event;
    event.kind = EventKind::lease_end;
    event.session = &session;
    event.told = lease.number;
    machine.events.schedule(machine.now + time, event);
  }
}

void end_lease(Machine& machine, Session& session, std::uint64_t number) {
  const auto found = std::ranges::find(session.leases, number, &Lease::number);
  const Lease lease = *found;
  session.leases.erase(found);
  give_up_computed(machine, session, *lease.holding, lease.computed);
}

// The leases of a session that has ended are no more, and a number is that of one lease.
void do_lease_end(Machine& machine, Session& session, std::uint64_t number) {
  if (std::ranges::find(session.leases, number, &Lease::number) == session.leases.end()) {
    return;
  }
  end_lease(machine, session, number);
  machine.try_all();
}

}  // namespace serq
