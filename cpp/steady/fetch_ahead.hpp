#pragma once

#include "events.hpp"

namespace serq {

struct Machine;
struct Pool;
struct Session;
struct Step;

// Whether the records of the engines are too many for the processor's caches.
bool is_large(const Machine& machine);

// What the next events lead to is fetched, after one was taken: of those of its kind the later
// ones' records, of the sooner ones what those lead to.
void fetch_ahead(const Machine& machine, const Event& taken);

// A session that no event foretold is about to wait at a pool: what it will ask of the pool's
// engine is fetched at once.
void fetch_asked(const Machine& machine, const Pool& pool, const Session& session);

// And what iterations of an engine need that are to be applied.
void fetch_slept(const Machine& machine, const Step& step);

}  // namespace serq
