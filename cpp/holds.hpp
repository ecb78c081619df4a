// Twin of src/serq/semantics/holds.py.
#pragma once

#include <cstddef>
#include <cstdint>

#include "errors.hpp"
#include "ir/nodes.hpp"

namespace serq {

struct Holding;
struct Hold;
struct Lease;
struct Machine;
struct Pool;
struct Session;
struct Stage;

// A part of a hold statement, of its clause for the pool at `at` where it has one for each.
inline Place place_of(const ir::Hold& statement, Part part, std::size_t at = 0) {
  return {part, statement.place.block, statement.place.at, static_cast<std::uint32_t>(at)};
}

// `admitting` is the engine that admits, if one does, and `budget_left` what it has left.
void enter(Machine& machine, Session& session, const Stage* admitting, double budget_left);
void leave(Machine& machine, Session& session);
void give_up(Machine& machine, Session& session, Holding& holding);
void give_up_computed(Machine& machine, Session& session, Holding& holding, double computed);
void release(Machine& machine, Session& session, Pool& pool);
void begin_lease(Machine& machine, Session& session, Holding& holding);
void end_lease(Machine& machine, Session& session, std::uint64_t number);
void do_lease_end(Machine& machine, Session& session, std::uint64_t number);

}  // namespace serq
