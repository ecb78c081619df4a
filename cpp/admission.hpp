// Twin of src/serq/semantics/admission.py. A queue is a chain of sessions; what each waits
// with is its `waiting`.
#pragma once

namespace serq {

struct Machine;
struct Pool;
struct Session;
struct Stage;

void resolve(Machine& machine, Session& session);
bool enqueue(Machine& machine, Session& session, bool front);
void leave_queue(Machine& machine, Session& session);
Session& next_waiting(Machine& machine, const Pool& pool, double budget_left);
bool fits(Machine& machine, Session& session, const Stage* admitting, double budget_left);
void admit(Machine& machine, Pool& pool);
bool admit_for(Machine& machine, Stage& engine, double budget_left);

}  // namespace serq
