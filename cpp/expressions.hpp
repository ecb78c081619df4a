// Twin of src/serq/semantics/expressions.py. A tree is compiled once to a flat program for a
// stack whose top is a variable; a right operand that is a leaf is part of its operator's
// instruction. Neither compiling nor evaluating recurses, however deep the tree.
#pragma once

#include <vector>

#include "errors.hpp"
#include "ir/nodes.hpp"
#include "scope.hpp"

namespace serq {

struct Pool;
struct Stage;

void compile(ir::Expression& expression);

double evaluate(const ir::Expression& expression, const Scope& scope);

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

bool reads_live_state(const std::vector<ir::Expression>& expressions);
bool reads_context(const ir::Expression& expression, const std::vector<ir::Context>& names);

}  // namespace serq
