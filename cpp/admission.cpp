// Twin of src/serq/semantics/admission.py.
#include "admission.hpp"

#include "expressions.hpp"
#include "holds.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "steady/fetch_ahead.hpp"
#include "steady/refusal.hpp"

namespace serq {
namespace {

double units_of(Machine& machine, const Waiting& waiting, std::size_t at, const Scope& scope) {
  const Place place = place_of(*waiting.statement, Part::hold_units, at);
  return machine.amount(evaluate_at(waiting.statement->pools[at].units, scope, place), place);
}

double need_of(const Waiting& waiting, std::size_t at, const Scope& scope) {
  const std::optional<ir::Expression>& reserve = waiting.statement->pools[at].reserve;
  const double units = waiting.units[at];
  if (!reserve) {
    return units;
  }
  return maximum(units, evaluate_at(*reserve, scope, place_of(*waiting.statement, Part::hold_reserve, at)));
}

// The session is asked when the queues are tried, unless it comes behind others who are refused:
// then so is it, if they go first or it lacks room itself.
void await_turn(Machine& machine, Pool& pool, Session& session) {
  if (machine.awaited.has(pool.index)) {
    return;
  }
  const bool first = pool.queue.first() == &session;
  const bool keyed = pool.queue_keys != nullptr;
  if (first || (keyed && !is_refused(machine, pool, session))) {
    machine.awaited.add(pool.index);
  }
}

}  // namespace

void resolve(Machine& machine, Session& session) {
  Waiting& waiting = session.waiting;
  const Scope scope = machine.scope_of(session);
  const ir::Hold& statement = *waiting.statement;
  waiting.pools.clear();
  waiting.units.clear();
  waiting.weighed = false;
  for (std::size_t at = 0; at < statement.pools.size(); ++at) {
    Pool& pool = pool_of(statement.pools[at].pool, scope);
    fetch_asked(machine, pool, session);
    waiting.pools.push_back(&pool);
    waiting.units.push_back(units_of(machine, waiting, at, scope));
  }
  waiting.leased = statement.lease ? &pool_of(statement.lease->pool, scope) : nullptr;
}

bool enqueue(Machine& machine, Session& session, bool front) {
  Waiting& waiting = session.waiting;
  const Scope scope = machine.scope_of(session);
  for (std::size_t at = 0; at < waiting.pools.size(); ++at) {
    Pool& pool = *waiting.pools[at];
    if (pool.round_up(need_of(waiting, at, scope)) > pool.cap) {
      ++pool.rejected;
      return false;
    }
  }
  Pool& pool = *waiting.pools.front();
  machine.touch(pool);
  if (pool.engine != nullptr) {
    rouse(machine, *pool.engine);
  }
  waiting.queued_at = machine.now;
  waiting.front = front;
  session.is_waiting = true;
  session.status = Status::queued;
  if (front) {
    pool.queue.push_front(session);
  } else {
    pool.queue.push_back(session);
  }
  machine.change(pool);
  if (pool.engine != nullptr) {
    ++std::get<Step>(pool.engine->kind).queued;
    machine.unsettle(*pool.engine);
  } else {
    await_turn(machine, pool, session);
  }
  return true;
}

void leave_queue(Machine& machine, Session& session) {
  Pool& pool = *session.waiting.pools.front();
  machine.touch(pool);
  pool.queue.remove(session);
  machine.change(pool);
  if (pool.engine == nullptr) {
    if (!pool.queue.empty()) {
      machine.awaited.add(pool.index);
    }
  } else {
    --std::get<Step>(pool.engine->kind).queued;
  }
}

Session& next_waiting(Machine& machine, const Pool& pool, double budget_left) {
  Session* least = pool.queue.first();
  if (pool.queue_keys == nullptr || least->waiting.front) {
    return *least;
  }
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> least_keys;
  for (Session* session = least; session != nullptr; session = pool.queue.after(*session)) {
    Scope scope = machine.scope_of(*session);
    scope[ir::Context::waited] = machine.now - session->waiting.queued_at;
    scope.admitting = pool.engine;
    scope.budget_left = budget_left;
    keys.clear();
    for (const ir::Expression& key : *pool.queue_keys) {
      const Place place{Part::pool_queue, pool.index, 0, 0};
      keys.push_back(order(evaluate_at(key, scope, place)));
    }
    if (session == pool.queue.first() || keys < least_keys) {
      least = session;
      least_keys.swap(keys);
    }
  }
  return *least;
}

bool fits(Machine& machine, Session& session, const Stage* admitting, double budget_left) {
  Waiting& waiting = session.waiting;
  Scope scope = machine.scope_of(session);
  scope.admitting = admitting;
  scope.budget_left = budget_left;
  bool fitting = true;
  for (std::size_t at = 0; at < waiting.pools.size(); ++at) {
    const Pool& pool = *waiting.pools[at];
    machine.read(pool);
    waiting.units[at] = units_of(machine, waiting, at, scope);
    fitting = pool.has_room(pool.round_up(need_of(waiting, at, scope))) && fitting;
  }
  return fitting;
}

void admit(Machine& machine, Pool& pool) {
  while (!pool.queue.empty()) {
    Session& session = next_waiting(machine, pool, 0.0);
    if (!fits(machine, session, nullptr, 0.0)) {
      return;
    }
    leave_queue(machine, session);
    enter(machine, session, nullptr, 0.0);
  }
}

bool admit_for(Machine& machine, Stage& engine, double budget_left) {
  for (Pool* pool : std::get<Step>(engine.kind).queues) {
    if (!pool->queue.empty()) {
      Session& session = next_waiting(machine, *pool, budget_left);
      const bool fitting = fits(machine, session, &engine, budget_left);
      if (fitting) {
        leave_queue(machine, session);
        enter(machine, session, &engine, budget_left);
      }
      return fitting;
    }
  }
  return false;
}

}  // namespace serq
