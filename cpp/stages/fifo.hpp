// Twin of src/serq/semantics/stages/fifo.py. The record is in stages/stage.hpp.
#pragma once

#include <cstdint>

#include "stages/stage.hpp"

namespace serq {

void start(Machine& machine, Stage& stage, Fifo& fifo, Job& job);
void serve(Machine& machine, Stage& stage, Fifo& fifo, Job& job);
void fill(Machine& machine, Stage& stage, Fifo& fifo);
void remove(Machine& machine, Stage& stage, Fifo& fifo, Job& job);
std::size_t present(const Fifo& fifo);
double work_left(const Fifo& fifo, double now);
void do_finish(Machine& machine, Stage& stage, Fifo& fifo, Job& job, std::uint64_t number);

}  // namespace serq
