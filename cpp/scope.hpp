// Twin of src/serq/semantics/scope.py. Context variables are an array by their enumerator; the
// array is unset until its moment fills it.
#pragma once

#include "ir/nodes.hpp"

namespace serq {

class Rng;
struct Machine;
struct Session;
struct Stage;

struct Scope {
  Scope(Machine& of, Rng& stream, Session* about, const double* values)
      : machine(&of), rng(&stream), session(about), attributes(values) {}

  double& operator[](ir::Context name) { return context[static_cast<std::size_t>(name)]; }
  double operator[](ir::Context name) const { return context[static_cast<std::size_t>(name)]; }

  Machine* machine;
  Rng* rng;
  Session* session;
  const double* attributes;
  const Stage* admitting = nullptr;  // the engine that is admitting, with what it has left
  double budget_left = 0.0;
  double context[ir::CONTEXTS];  // NOLINT: unset on purpose
};

}  // namespace serq
