// The candidate with the least keys, for `choose`: many are weighed at once where nothing shows
// in which order that is done.
#pragma once

#include <cstdint>

#include "ir/nodes.hpp"
#include "scope.hpp"
#include "session.hpp"

namespace serq {

// Marks the `choose` statements whose keys may be evaluated so: nothing is drawn, hence the order
// of the evaluations does not show.
void allow_lanes(ir::Program& program);

// The first of those with the least keys, of `count`; an error is that of the first candidate
// that has one. The attribute is left with any value.
std::uint64_t least_candidate(const Scope& scope, Session& session, const ir::Choose& statement,
                              std::uint64_t count);

}  // namespace serq
