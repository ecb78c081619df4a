// Twin of src/serq/semantics/stages/tokens.py.
#include "stages/tokens.hpp"

#include "machine.hpp"

namespace serq {

double gap_of(const Machine& machine, const Stage& stage, const Session& session, bool decoding) {
  const Token& token = session.token;
  if (!machine.warm || token.stage == nullptr ||
      token.turn != session.attributes[machine.program.slots.turn_no]) {
    return -1.0;
  }
  const bool resumed = token.preempted && token.stage == &stage;
  return decoding || token.decoded || resumed ? machine.now - token.time : -1.0;
}

void record_token(Machine& machine, Stage& stage, Session& session, bool decoding) {
  const double gap = gap_of(machine, stage, session, decoding);
  const double turn = session.attributes[machine.program.slots.turn_no];
  Token& token = session.token;
  if (token.stage == nullptr || token.turn != turn) {
    token = {};
    token.turn = turn;
  } else if (gap >= 0.0) {
    std::get<Step>(stage.kind).gaps.add(gap);
  }
  token.time = machine.now;
  token.stage = &stage;
  token.decoded = token.decoded || decoding;
  token.preempted = false;
}

}  // namespace serq
