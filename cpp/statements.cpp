// Twin of src/serq/semantics/statements.py.
#include "statements.hpp"

#include <utility>

#include "admission.hpp"
#include "cache.hpp"
#include "expressions.hpp"
#include "holds.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "preemption.hpp"
#include "structures/candidates.hpp"
#include "workload.hpp"

namespace serq {
namespace {

constexpr std::uint64_t LARGEST_COUNT = std::uint64_t{1} << 63;

struct Handlers {
  Machine& machine;
  Session& session;

  void operator()(const ir::Turn& statement) const { do_turn(machine, session, statement); }
  void operator()(const ir::End& statement) const { do_end(machine, session, statement); }
  void operator()(const ir::Set& statement) const { do_set(machine, session, statement); }
  void operator()(const ir::Observe& statement) const { do_observe(machine, session, statement); }
  void operator()(const ir::Hold& statement) const { do_hold(machine, session, statement); }
  void operator()(const ir::Grow& statement) const { do_grow(machine, session, statement); }
  void operator()(const ir::Load& statement) const { do_load(machine, session, statement); }
  void operator()(const ir::Drop& statement) const { do_drop(machine, session, statement); }
  void operator()(const ir::Release& statement) const { do_release(machine, session, statement); }
  void operator()(const ir::Run& statement) const { do_run(machine, session, statement); }
  void operator()(const ir::Branch& statement) const { do_branch(machine, session, statement); }
  void operator()(const ir::Loop& statement) const { do_loop(machine, session, statement); }
  void operator()(const ir::Choose& statement) const { do_choose(machine, session, statement); }
};

[[gnu::noinline]] void do_other(Machine& machine, Session& session,
                                const ir::Statement& statement) {
  std::visit(Handlers{machine, session}, statement);
}

// A statement that leaves its session as it is but for an attribute; false if it is another.
[[gnu::always_inline]] inline bool do_plain(Machine& machine, Session& session,
                                            const ir::Statement& statement) {
  if (std::holds_alternative<ir::Set>(statement)) {
    do_set(machine, session, std::get<ir::Set>(statement));
    return true;
  }
  if (std::holds_alternative<ir::Observe>(statement)) {
    do_observe(machine, session, std::get<ir::Observe>(statement));
    return true;
  }
  return false;
}

// One that is not plain, the most frequent ones first.
[[gnu::always_inline]] inline void do_statement(Machine& machine, Session& session,
                                                const ir::Statement& statement) {
  if (std::holds_alternative<ir::Run>(statement)) {
    do_run(machine, session, std::get<ir::Run>(statement));
  } else if (std::holds_alternative<ir::End>(statement)) {
    do_end(machine, session, std::get<ir::End>(statement));
  } else {
    do_other(machine, session, statement);
  }
}

// It goes on when it is its turn among those that are ready.
void defer(Machine& machine, Session& session) {
  session.status = Status::deferred;
  machine.make_ready(session);
}

// At several stages at once, which grows nothing.
void do_run_also(Machine& machine, Session& session, const ir::Run& statement) {
  std::vector<Stage*> stages{&stage_of(statement.stage, machine, session)};
  const double work = amount(machine, session, statement.work, Part::work);
  for (const ir::StageReference& also : statement.also) {
    stages.push_back(&stage_of(also, machine, session));
  }
  if (statement.growing) {
    pool_of(*statement.growing, machine, session);  // an index beyond the array is an error
  }
  const std::uint64_t number = machine.next_job();
  if (work <= 0.0) {
    return defer(machine, session);
  }
  session.status = Status::in_stage;
  session.job = &machine.make_job(number, &session, work);
  machine.flows.start(machine, *session.job, std::move(stages));
}

RunError too_many_statements(const Session& session) {
  return {ErrorKind::statements, {}, {session.serial, session.statements}, session.loop_place()};
}

}  // namespace

[[gnu::always_inline]] inline void run_session(Machine& machine, Session& session) {
  session.status = Status::ready;
  if (session.instant != machine.now) {
    session.instant = machine.now;
    session.statements = 0;
  }
  const std::uint64_t limit = machine.options.limit_statements;
  std::uint32_t block = 0;
  std::uint32_t at = 0;
  try {
    while (session.status == Status::ready) {
      Frame& frame = session.frames.back();
      block = frame.block;
      at = frame.next;
      while (at != frame.size && do_plain(machine, session, frame.statements[at])) {
        frame.next = ++at;
        if (++session.statements > limit) {
          throw too_many_statements(session);
        }
      }
      if (at == frame.size) {
        end_block(machine, session);
      } else {
        frame.next = at + 1;
        do_statement(machine, session, frame.statements[at]);
      }
      if (++session.statements > limit) {
        throw too_many_statements(session);
      }
    }
  } catch (const RunError& error) {
    throw error.placed({Part::statement, block, at, 0});
  }
}

void end_block(Machine& machine, Session& session) {
  Frame& frame = session.frames.back();
  const FrameKind kind = frame.kind;
  if (kind == FrameKind::loop) {
    frame.next = 0;
    return;
  }
  session.frames.pop_back();
  if (kind == FrameKind::hold) {
    if (!session.positions.empty()) {
      for (const Held& held : session.holds.back()->holdings) {
        session.forget_position(*held.pool);
      }
    }
    leave(machine, session);
    session.attributes[machine.program.slots.computed] = 0.0;
    machine.try_all();
  } else if (session.frames.empty()) {
    machine.end(session);
  }
}

void do_turn(Machine& machine, Session& session, const ir::Turn& /*statement*/) {
  next_turn(machine, session);
}

[[gnu::always_inline]] inline void do_end(Machine& machine, Session& session,
                                          const ir::End& /*statement*/) {
  machine.end(session);
}

void do_branch(Machine& machine, Session& session, const ir::Branch& statement) {
  const double test = evaluate(statement.test, machine, session);
  if (test == 1.0) {
    enter_block(machine, session, statement.then, FrameKind::plain);
  } else if (test == 0.0) {
    enter_block(machine, session, statement.otherwise, FrameKind::plain);
  } else {
    throw RunError{ErrorKind::guard, {test}, {}, {}};
  }
}

void do_loop(Machine& machine, Session& session, const ir::Loop& statement) {
  enter_block(machine, session, statement.body, FrameKind::loop);
}

void do_choose(Machine& machine, Session& session, const ir::Choose& statement) {
  const Scope scope = machine.scope_of(session);
  const std::uint64_t count = saturate(evaluate(statement.count, scope), LARGEST_COUNT);
  session.statements += count;
  if (session.statements > machine.options.limit_statements) {
    throw RunError{ErrorKind::candidates, {}, {count}, {}};
  }
  session.attributes[statement.slot] =
      static_cast<double>(least_candidate(scope, session, statement, count));
}

void do_hold(Machine& machine, Session& session, const ir::Hold& statement) {
  session.waiting.statement = &statement;
  resolve(machine, session);
  if (!enqueue(machine, session, false)) {
    machine.end(session);
  }
}

void do_grow(Machine& machine, Session& session, const ir::Grow& statement) {
  const Pool& pool = pool_of(statement.pool, machine, session);
  const double units = amount(machine, session, statement.units, Part::units);
  grow(machine, innermost(session, pool, ErrorKind::outside_grow), units);
}

void do_load(Machine& machine, Session& session, const ir::Load& statement) {
  const Pool& pool = pool_of(statement.pool, machine, session);
  const double units = amount(machine, session, statement.units, Part::units);
  Holding& holding = innermost(session, pool, ErrorKind::outside_load);
  if (holding.position + units > holding.allocated + SLACK) {
    throw RunError{ErrorKind::load, {units, holding.allocated, holding.position}, {pool.index}, {}};
  }
  holding.position += units;
  holding.hold->grown = true;
}

void do_drop(Machine& machine, Session& session, const ir::Drop& statement) {
  drop(machine, pool_of(statement.pool, machine, session), session);
}

void do_release(Machine& machine, Session& session, const ir::Release& statement) {
  release(machine, session, pool_of(statement.pool, machine, session));
  machine.try_all();
}

[[gnu::always_inline]] inline double amount(Machine& machine, Session& session,
                                            const ir::Expression& expression, Part part) {
  const double value = evaluate(expression, machine, session);
  if (value >= 0.0) {
    return value;
  }
  const Frame& frame = session.frames.back();
  return machine.amount(value, {part, frame.block, frame.next - 1, 0});
}

Holding& innermost(const Session& session, const Pool& pool, ErrorKind otherwise) {
  Holding* holding = session.innermost(pool);
  if (holding == nullptr) {
    throw RunError{otherwise, {}, {pool.index}, {}};
  }
  return *holding;
}

[[gnu::always_inline]] inline void do_run(Machine& machine, Session& session,
                                          const ir::Run& statement) {
  if (!statement.also.empty()) {
    return do_run_also(machine, session, statement);
  }
  Stage& stage = stage_of(statement.stage, machine, session);
  const double work = amount(machine, session, statement.work, Part::work);
  const Pool* growing =
      statement.growing ? &pool_of(*statement.growing, machine, session) : nullptr;
  const std::uint64_t number = machine.next_job();
  if (work <= 0.0) {
    return defer(machine, session);
  }
  session.status = Status::in_stage;
  Holding* holding = nullptr;
  if (growing != nullptr && std::holds_alternative<Step>(stage.kind)) {
    holding = &innermost(session, *growing, ErrorKind::outside_growing);
  }
  Job& job = machine.make_job(number, &session, work);
  job.growing = holding;
  job.decoding = statement.mode == ir::Mode::decode;
  session.job = &job;
  start(machine, stage, job);
}

}  // namespace serq
