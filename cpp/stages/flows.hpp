// Twin of src/serq/semantics/stages/flows.py.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/nodes.hpp"

namespace serq {

class Flows;
struct Job;
struct Machine;
struct Stage;

struct Flow {
  Job* job = nullptr;
  std::vector<Stage*> stages;
  double remaining = 0.0;
  double rate = 0.0;
};

// Flows by job number, which is the order in which they started.
struct Shared {
  const Flows* group = nullptr;
  double capacity = 0.0;
  std::map<std::uint64_t, Flow*> flows;
};

class Flows {
 public:
  explicit Flows(ir::Share policy) : share_(policy) {}

  void start(Machine& machine, Job& job, std::vector<Stage*> stages);
  void remove(Machine& machine, Job& job);
  void advance(double now);
  void settle(Machine& machine);
  void do_finish(Machine& machine, Job& job, std::uint64_t epoch);

  bool touched() const { return !touched_.empty(); }
  double since() const { return since_; }

 private:
  void component(std::vector<Stage*>& stages, std::vector<Flow*>& flows) const;

  ir::Share share_;
  std::map<std::uint64_t, Flow> flows_;
  std::vector<Stage*> touched_;
  double since_ = 0.0;
  std::uint64_t epoch_ = 0;
};

std::vector<bool> shared_stages(const ir::Program& program);
void share_bottleneck(const std::vector<Flow*>& flows);
void share_maxmin(const std::vector<Stage*>& stages, const std::vector<Flow*>& flows);
double carried(const Shared& shared);

void start(Machine& machine, Stage& stage, Shared& shared, Job& job);
void remove(Machine& machine, Stage& stage, Shared& shared, Job& job);
std::size_t present(const Shared& shared);
double work_left(const Shared& shared, double now);

}  // namespace serq
