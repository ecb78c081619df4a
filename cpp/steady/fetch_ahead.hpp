#pragma once

#include "events.hpp"

namespace serq {

struct Machine;

// Whether the records of the engines are too many for the processor's caches.
bool is_large(const Machine& machine);

// What the next events lead to is fetched, after one was taken: of those of its kind the later
// ones' records, of the sooner ones what those lead to.
void fetch_ahead(const Machine& machine, const Event& taken);

}  // namespace serq
