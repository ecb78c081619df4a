// Twin of src/serq/semantics/stages/planning.py.
#pragma once

#include <cstdint>

#include "structures/arena.hpp"

namespace serq {

struct Job;
struct Machine;
struct Stage;
struct Step;

struct Plan {
  void begin(const Machine& machine, double tokens, double cap, const Items<Job*>& residents);
  void forget(Job& job);

  bool exclusive = false;
  bool prefills_only = false;
  double budget = 0.0;
  double chunk = 0.0;
  double left = 0.0;
  Items<Job*> batch;
  std::uint64_t preemptions = 0;
};

void make_plan(Machine& machine, Stage& stage, Step& step);

// Serves and admits those whom the plan has not come to yet.
void make_rest(Machine& machine, Stage& stage, Step& step);
void serving_order(Machine& machine, Step& step, Items<Job*>& line);
bool serve(Machine& machine, Plan& plan, Job& job);
bool admit_one(Machine& machine, Stage& stage, const Plan& plan);

}  // namespace serq
