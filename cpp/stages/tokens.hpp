// Twin of src/serq/semantics/stages/tokens.py. `stage` is none before the first token.
#pragma once

namespace serq {

struct Machine;
struct Session;
struct Stage;

struct Token {
  double turn = 0.0;
  double time = 0.0;
  const Stage* stage = nullptr;
  bool decoded = false;
  bool preempted = false;
};

// The gap that a token of the session would leave now; below 0 when it leaves none.
double gap_of(const Machine& machine, const Stage& stage, const Session& session, bool decoding);

void record_token(Machine& machine, Stage& stage, Session& session, bool decoding);

}  // namespace serq
