// Twin of src/serq/semantics/stages/tokens.py.
#include "stages/tokens.hpp"

#include "machine.hpp"

namespace serq {

void record_token(Machine& machine, Stage& stage, Session& session, bool decoding) {
  const double turn = session.attributes[machine.program.slots.turn_no];
  Token& token = session.token;
  if (token.stage == nullptr || token.turn != turn) {
    token = {};
    token.turn = turn;
  } else {
    const bool resumed = token.preempted && token.stage == &stage;
    if (machine.warm && (decoding || token.decoded || resumed)) {
      std::get<Step>(stage.kind).gaps.add(machine.now - token.time);
    }
  }
  token.time = machine.now;
  token.stage = &stage;
  token.decoded = token.decoded || decoding;
  token.preempted = false;
}

}  // namespace serq
