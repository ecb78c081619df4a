// Twin of src/serq/semantics/workload.py. Recorded sessions come as values by slot already.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/nodes.hpp"

namespace serq {

struct Machine;
struct Session;

void start_arrivals(Machine& machine);
double next_gap(Machine& machine);
double recorded_arrival(const Machine& machine, std::uint64_t number);
void do_arrive(Machine& machine);
std::optional<double> next_arrival(Machine& machine);
void spawn(Machine& machine, const ir::Preset* preset);
void next_turn(Machine& machine, Session& session);
void run_workload_block(Machine& machine, Session& session, std::uint32_t block);

}  // namespace serq
