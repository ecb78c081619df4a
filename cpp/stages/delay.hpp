// Twin of src/serq/semantics/stages/delay.py. The record is in stages/stage.hpp.
#pragma once

#include <cstdint>

#include "stages/stage.hpp"

namespace serq {

void start(Machine& machine, Stage& stage, Delay& delay, Job& job);
void remove(Machine& machine, Stage& stage, Delay& delay, Job& job);
std::size_t present(const Delay& delay);
double work_left(const Delay& delay, double now);
void do_finish(Machine& machine, Stage& stage, Delay& delay, Job& job, std::uint64_t number);

}  // namespace serq
