// Twin of src/serq/semantics/stages/step.py. The record is in stages/stage.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "stages/stage.hpp"

namespace serq {

inline constexpr double DONE = 1e-9;

double want(const Job& job, double chunk);

void start(Machine& machine, Stage& stage, Step& step, Job& job);
void remove(Machine& machine, Stage& stage, Step& step, Job& job);
std::size_t present(const Step& step);
double work_left(const Step& step, double now);

struct Budget {
  double tokens = 0.0;
  double chunk = 0.0;
};

Budget evaluate_budget(const Step& step, Scope& scope);
void count_totals(const Step& step, Scope& scope, const Items<Job*>& jobs);
double budget_left(Machine& machine, Stage& stage);
bool settle(Machine& machine, Stage& stage, Step& step, bool pending);
void begin(Machine& machine, Stage& stage, Step& step);

// What an iteration costs that is as the scope has it.
double cost_of(const Step& step, const Scope& scope);

// What was planned runs, and lasts its cost.
void begin_iteration(Machine& machine, Stage& stage, Step& step, std::uint64_t decodes,
                     double cost);
void do_iteration_end(Machine& machine, Stage& stage);

}  // namespace serq
