// Twin of src/serq/semantics/preemption.py.
#include "preemption.hpp"

#include <algorithm>

#include "admission.hpp"
#include "cache.hpp"
#include "holds.hpp"
#include "machine.hpp"

namespace serq {

bool grow(Machine& machine, Holding& holding, double units) {
  Pool& pool = *holding.pool;
  Session& session = *holding.session;
  machine.touch(pool);
  const double need = pool.round_up(holding.allocated + units) - holding.allocated;
  if (need <= 0.0) {
    return true;
  }
  while (!pool.has_room(need)) {
    const Holding* victim = choose_victim(pool);
    if (victim == nullptr) {
      stall(machine, session, {&holding, units, session.job});
      return false;
    }
    Session& chosen = *victim->session;
    preempt(machine, chosen, pool);
    if (&chosen == &session) {
      return false;
    }
  }
  extend(machine, holding, need);
  return true;
}

void extend(Machine& machine, Holding& holding, double units) {
  make_room(machine, *holding.pool, units);
  holding.pool->allocate(machine, units);
  holding.allocated += units;
}

void stall(Machine& machine, Session& session, const Growth& growth) {
  session.status = Status::growing;
  session.growth = growth;
  growth.holding->pool->growers.push_back(session);
  machine.awaited.add(growth.holding->pool->index);
}

Growth unstall(Machine& machine, Session& session) {
  const Growth growth = session.growth;
  Pool& pool = *growth.holding->pool;
  pool.growers.remove(session);
  if (!pool.growers.empty()) {
    machine.awaited.add(pool.index);
  }
  session.growth = {};
  return growth;
}

void retry_growers(Machine& machine, Pool& pool) {
  machine.touch(pool);
  while (Session* session = pool.growers.first()) {
    Holding& holding = *session->growth.holding;
    const double need =
        pool.round_up(holding.allocated + session->growth.units) - holding.allocated;
    if (!pool.has_room(need)) {
      return;
    }
    const Growth growth = unstall(machine, *session);
    extend(machine, holding, need);
    if (growth.job == nullptr) {
      session->status = Status::ready;
      machine.make_ready(*session);
    } else {
      session->status = Status::in_stage;
      holding.position += growth.units;
      holding.hold->grown = true;
    }
  }
}

Holding* choose_victim(const Pool& pool) {
  if (!pool.definition->preempt_lifo) {
    return nullptr;
  }
  Holding* victim = nullptr;
  for (Holding* holding = pool.holders.last(); holding != nullptr;
       holding = pool.holders.before(*holding)) {
    if (holding->hold == nullptr) {
      continue;  // a lease
    }
    if (pool.engines.empty()) {
      return holding;
    }
    if (resident(*holding->session, pool) &&
        (victim == nullptr || holding->session->admission > victim->session->admission)) {
      victim = holding;
    }
  }
  return victim;
}

bool resident(const Session& session, const Pool& pool) {
  return session.status == Status::in_stage && session.job != nullptr &&
         std::ranges::find(pool.engines, session.job->stage) != pool.engines.end();
}

void preempt(Machine& machine, Session& session, Pool& pool) {
  machine.touch(pool);
  if (session.job != nullptr) {
    if (auto* step = std::get_if<Step>(&session.job->stage->kind)) {
      rouse(machine, *session.job->stage);
      remove_resident(*step, *session.job);
    }
  }
  const Holding& holding = *session.innermost(pool);
  const double computed = holding.position;
  const auto before = std::ranges::find(session.positions, pool.index, &Position::pool);
  if (before == session.positions.end()) {
    session.positions.push_back({pool.index, computed});
  } else {
    if (computed <= before->computed + SLACK && !session.stuck) {
      session.stuck = true;
      ++pool.stuck;
    }
    before->computed = computed;
  }
  session.token.preempted = true;
  session.attributes[machine.program.slots.computed] = computed;
  const Hold* hold = holding.hold;
  session.waiting.front = false;
  withdraw(machine, session);
  session.waiting.statement = hold->statement;
  while (&abort(machine, session) != hold) {
  }
  ++pool.preemptions;
  ++machine.preemptions;
  resolve(machine, session);
  if (!enqueue(machine, session, true)) {
    machine.end(session);
  }
}

void withdraw(Machine& machine, Session& session) {
  if (session.status == Status::growing) {
    unstall(machine, session);
    session.status = Status::ready;
  }
  if (session.is_waiting) {
    leave_queue(machine, session);
    session.is_waiting = false;
  }
  if (session.job != nullptr) {
    remove(machine, *session.job->stage, *session.job);
    machine.jobs.give_back(*session.job);
    session.job = nullptr;
  }
}

Hold& abort(Machine& machine, Session& session) {
  while (session.frames.back().kind != FrameKind::hold) {
    session.frames.pop_back();
  }
  session.frames.pop_back();
  Hold& hold = *session.holds.back();
  session.holds.pop_back();
  for (const Held& held : hold.holdings) {
    give_up(machine, session, *held.holding);
  }
  machine.holds.give_back(hold);
  return hold;
}

}  // namespace serq
