// Twin of src/serq/semantics/expressions.py. A tree is compiled once to a flat program for a
// stack whose top is a variable; a right operand that is a leaf is part of its operator's
// instruction. Neither compiling nor evaluating recurses, however deep the tree.
#pragma once

#include <vector>

#include "errors.hpp"
#include "ir/nodes.hpp"
#include "machine.hpp"
#include "rng.hpp"
#include "scope.hpp"

namespace serq {

struct Pool;
struct Stage;

void compile(ir::Expression& expression);

// What is not one of the common forms.
double evaluate_code(const ir::Expression& expression, const Scope& scope);

inline double evaluate(const ir::Expression& expression, const Scope& scope) {
  if (expression.form == ir::Form::number) {
    return expression.value;
  }
  if (expression.form == ir::Form::attribute) {
    return scope.attributes[expression.slot];
  }
  return evaluate_code(expression, scope);
}

// What has no form but code.
double evaluate_other(const ir::Expression& expression, Machine& machine, Session& session);

// What a statement of the session has; only its code needs a scope.
[[gnu::always_inline]] inline double evaluate(const ir::Expression& expression, Machine& machine,
                                              Session& session) {
  switch (expression.form) {
    case ir::Form::number:
      return expression.value;
    case ir::Form::attribute:
      return session.attributes[expression.slot];
    case ir::Form::now:
      return machine.now;
    case ir::Form::since:
      return machine.now - session.attributes[expression.slot];
    case ir::Form::exponential:
      return draw_exp(*machine.statement_stream, expression.value);
    default:
      return evaluate_other(expression, machine, session);
  }
}

inline double evaluate_at(const ir::Expression& expression, const Scope& scope,
                          const Place& place) {
  try {
    return evaluate(expression, scope);
  } catch (const RunError& error) {
    throw error.placed(place);
  }
}

// The state of the pool or stage of that number.
double do_call(const Scope& scope, ir::Function function, std::size_t number);

Pool& pool_of(const ir::PoolReference& reference, const Scope& scope);
Stage& stage_of(const ir::StageReference& reference, const Scope& scope);
Pool& member_of(const ir::PoolReference& reference, Machine& machine, Session& session);
Stage& member_of(const ir::StageReference& reference, Machine& machine, Session& session);

inline Pool& pool_of(const ir::PoolReference& reference, Machine& machine, Session& session) {
  return reference.index ? member_of(reference, machine, session) : machine.pools[reference.base];
}

inline Stage& stage_of(const ir::StageReference& reference, Machine& machine, Session& session) {
  return reference.index ? member_of(reference, machine, session) : machine.stages[reference.base];
}

// Whether they are the same to the bit.
bool same(const ir::Expression& a, const ir::Expression& b);
bool draws(const ir::Expression& expression);
bool reads_live_state(const std::vector<ir::Expression>& expressions);
bool reads_context(const ir::Expression& expression, const std::vector<ir::Context>& names);

}  // namespace serq
