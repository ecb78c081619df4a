// Twin of src/serq/semantics/stages/ps.py. The record is in stages/stage.hpp.
#pragma once

#include <cstdint>

#include "stages/stage.hpp"

namespace serq {

void start(Machine& machine, Stage& stage, Ps& ps, Job& job);
void remove(Machine& machine, Stage& stage, Ps& ps, Job& job);
void settle(Machine& machine, Stage& stage, Ps& ps);
void settle_share(Machine& machine, Stage& stage, Ps& ps);
std::size_t present(const Ps& ps);
double work_left(const Ps& ps, double now);
void do_finish(Machine& machine, Stage& stage, Ps& ps, Job& job, std::uint64_t epoch);

}  // namespace serq
