// Twin of src/serq/semantics/statements.py.
#pragma once

#include <cstdint>

#include "ir/nodes.hpp"
#include "machine.hpp"
#include "session.hpp"

namespace serq {

void run_session(Machine& machine, Session& session);
void end_block(Machine& machine, Session& session);

inline void enter_block(Machine& machine, Session& session, std::uint32_t block, FrameKind kind) {
  const ir::Block& statements = machine.program.blocks[block];
  Frame& frame = session.frames.emplace_back();
  frame.statements = statements.data();
  frame.size = static_cast<std::uint32_t>(statements.size());
  frame.block = block;
  frame.kind = kind;
}

void do_turn(Machine& machine, Session& session, const ir::Turn& statement);
void do_end(Machine& machine, Session& session, const ir::End& statement);
void do_branch(Machine& machine, Session& session, const ir::Branch& statement);
void do_loop(Machine& machine, Session& session, const ir::Loop& statement);
void do_choose(Machine& machine, Session& session, const ir::Choose& statement);
void do_hold(Machine& machine, Session& session, const ir::Hold& statement);
void do_grow(Machine& machine, Session& session, const ir::Grow& statement);
void do_load(Machine& machine, Session& session, const ir::Load& statement);
void do_drop(Machine& machine, Session& session, const ir::Drop& statement);
void do_release(Machine& machine, Session& session, const ir::Release& statement);
void do_run(Machine& machine, Session& session, const ir::Run& statement);

double amount(Machine& machine, Session& session, const ir::Expression& expression, Part part);
Holding& innermost(const Session& session, const Pool& pool, ErrorKind otherwise);

}  // namespace serq
