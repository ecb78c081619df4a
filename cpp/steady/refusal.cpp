#include "steady/refusal.hpp"

#include <algorithm>

#include "admission.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "structures/bounds.hpp"

namespace serq {
namespace {

// What the hold needs of each of its pools at least. None when evaluating its header, or the keys
// of its turn, may do something: draw, be an error, or be noted as no amount.
void weigh(const Machine& machine, const Pool& pool, Session& session) {
  Waiting& waiting = session.waiting;
  waiting.weighed = true;
  waiting.least.clear();
  if (pool.queue_keys != nullptr) {
    for (const ir::Expression& key : *pool.queue_keys) {
      if (!bounds_of(key, machine, session).safe) {
        return;
      }
    }
  }
  for (const ir::HoldPool& part : waiting.statement->pools) {
    Bounds need = bounds_of(part.units, machine, session);
    if (!need.safe || !need.number || !(need.least >= 0.0)) {
      return waiting.least.clear();
    }
    if (part.reserve) {
      const Bounds reserve = bounds_of(*part.reserve, machine, session);
      if (!reserve.safe) {
        return waiting.least.clear();
      }
      need.least = reserve.number ? maximum(need.least, reserve.least) : need.least;
    }
    waiting.least.push_back(need.least);
  }
}

// Who waits at `pool` is asked when something is given back to `full`.
void wait_for(Pool& pool, Pool& full) {
  if (std::ranges::find(pool.lacking, &full) == pool.lacking.end()) {
    pool.lacking.push_back(&full);
    full.wanted_by.push_back(&pool);
    full.wanted = true;
  }
}

bool lacks(const Pool& pool, double units) {
  return !pool.has_room(pool.round_up(units)) && (!pool.has_block || pool.block > 0.0);
}

// Whether the first of the pool's growers does not fit.
bool grower_is_refused(const Pool& pool) {
  const Growth& growth = pool.growers.first()->growth;
  const Holding& holding = *growth.holding;
  return !pool.has_room(pool.round_up(holding.allocated + growth.units) - holding.allocated);
}

bool growers_are_refused(Pool& pool) {
  if (pool.growers.empty()) {
    return true;
  }
  if (!grower_is_refused(pool)) {
    return false;
  }
  wait_for(pool, pool);
  return true;
}

// What asking says; it may be in doubt.
bool would_be_refused(Machine& machine, Pool& pool) {
  try {
    return !fits(machine, next_waiting(machine, pool, 0.0), nullptr, 0.0);
  } catch (const Doubt&) {
    return true;
  }
}

bool queue_is_refused(Machine& machine, Pool& pool) {
  Session* session = pool.queue.first();
  if (pool.queue_keys == nullptr || session->waiting.front) {
    return is_refused(machine, pool, *session);
  }
  while (session != nullptr && is_refused(machine, pool, *session)) {
    session = pool.queue.after(*session);
  }
  return session == nullptr;
}

}  // namespace

bool is_refused(Machine& machine, Pool& pool, Session& session) {
  const Waiting& waiting = session.waiting;
  if (!waiting.weighed) {
    weigh(machine, pool, session);
  }
  for (std::size_t at = 0; at < waiting.least.size(); ++at) {
    if (lacks(*waiting.pools[at], waiting.least[at])) {
      wait_for(pool, *waiting.pools[at]);
      return true;
    }
  }
  return false;
}

bool all_refused(Machine& machine, Pool& pool) {
  return growers_are_refused(pool) &&
         (pool.queue.empty() || pool.engine != nullptr || queue_is_refused(machine, pool));
}

void spare_refused(Machine& machine) {
  machine.awaited.each(machine.pools.size(), [&](std::uint64_t at) {
    if (all_refused(machine, machine.pools[at])) {
      machine.awaited.remove(at);
    }
  });
}

bool spared_are_refused(Machine& machine) {
  const auto zeroed = machine.zeroed;
  return std::ranges::all_of(machine.pools, [&](Pool& pool) {
    return machine.awaited.has(pool.index) ||
           ((pool.growers.empty() || grower_is_refused(pool)) &&
            (pool.queue.empty() || pool.engine != nullptr || would_be_refused(machine, pool)) &&
            machine.zeroed == zeroed);
  });
}

void ask_again(Machine& machine, Pool& pool) {
  for (Pool* other : pool.wanted_by) {
    std::erase(other->lacking, &pool);
    machine.awaited.add(other->index);
  }
  pool.wanted_by.clear();
  pool.wanted = false;
}

}  // namespace serq
