// Who waits is asked again when the answer can have changed. A hold that lacks room in some pool
// whatever the state of the rest is (what it needs there at least is known from its session's
// attributes) is refused until something is given back to that pool: units that are allocated
// only become more before. So is who waits to grow. Nobody asks them till then; others are asked
// at every event.
#pragma once

namespace serq {

struct Machine;
struct Pool;
struct Session;

// Whether that hold, of the pool's queue, is refused.
bool is_refused(Machine& machine, Pool& pool, Session& session);

// Whether all who wait at the pool are.
bool all_refused(Machine& machine, Pool& pool);

// Those who are refused need not be asked.
void spare_refused(Machine& machine);

// For assertions: those who are not asked would be refused, and nothing else would come of it.
bool spared_are_refused(Machine& machine);

// Something was given back to the pool.
void ask_again(Machine& machine, Pool& pool);

}  // namespace serq
