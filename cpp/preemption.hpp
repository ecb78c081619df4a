// Twin of src/serq/semantics/preemption.py.
#pragma once

#include "session.hpp"

namespace serq {

bool grow(Machine& machine, Holding& holding, double units);
void extend(Machine& machine, Holding& holding, double units);
void stall(Machine& machine, Session& session, const Growth& growth);
Growth unstall(Machine& machine, Session& session);
void retry_growers(Machine& machine, Pool& pool);
Holding* choose_victim(const Pool& pool);
bool resident(const Session& session, const Pool& pool);
void preempt(Machine& machine, Session& session, Pool& pool);
void withdraw(Machine& machine, Session& session);
Hold& abort(Machine& machine, Session& session);

}  // namespace serq
