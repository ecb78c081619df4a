// Twin of src/serq/semantics/stages/flows.py.
#include "stages/flows.hpp"

#include <algorithm>
#include <utility>

#include "ir/arithmetic.hpp"
#include "machine.hpp"

namespace serq {
namespace {

Shared& shared_of(Stage& stage) { return std::get<Shared>(stage.kind); }

bool earlier(const Stage* a, const Stage* b) { return a->index < b->index; }

bool holds(const Flow& flow, const Stage* stage) {
  return std::ranges::find(flow.stages, stage) != flow.stages.end();
}

}  // namespace

void Flows::start(Machine& machine, Job& job, std::vector<Stage*> stages) {
  advance(machine.now);
  touched_.insert(touched_.end(), stages.begin(), stages.end());
  Flow& flow = flows_[job.number];
  flow = {&job, std::move(stages), job.work, 0.0};
  for (Stage* stage : flow.stages) {
    stage->join(machine, job);
    shared_of(*stage).flows[job.number] = &flow;
  }
  job.stage = flow.stages.front();
  job.started = machine.now;
}

void Flows::remove(Machine& machine, Job& job) {
  advance(machine.now);
  const auto found = flows_.find(job.number);
  for (Stage* stage : found->second.stages) {
    shared_of(*stage).flows.erase(job.number);
    machine.change(*stage);
    touched_.push_back(stage);
  }
  job.stage = nullptr;
  flows_.erase(found);
}

void Flows::advance(double now) {
  const double passed = now - since_;
  if (passed > 0.0) {
    for (auto& [number, flow] : flows_) {
      flow.remaining = maximum(flow.remaining - flow.rate * passed, 0.0);
    }
  }
  since_ = now;
}

void Flows::settle(Machine& machine) {
  advance(machine.now);
  std::vector<Stage*> stages;
  std::vector<Flow*> flows;
  component(stages, flows);
  touched_.clear();
  if (share_ == ir::Share::maxmin) {
    share_maxmin(stages, flows);
  } else {
    share_bottleneck(flows);
  }
  for (Stage* stage : stages) {
    machine.change(*stage);
  }
  ++epoch_;
  const Flow* first = nullptr;
  double least = 0.0;
  for (const auto& [number, flow] : flows_) {
    if (flow.rate > 0.0) {
      const double finish = machine.now + maximum(flow.remaining / flow.rate, 0.0);
      if (first == nullptr || finish < least) {
        first = &flow;
        least = finish;
      }
    }
  }
  if (first != nullptr) {
    Event event;
    event.kind = EventKind::flow_finish;
    event.stage = first->stages.front()->index;
    event.told = epoch_;
    event.job = first->job;
    machine.events.schedule(least, event);
  }
}

void Flows::component(std::vector<Stage*>& stages, std::vector<Flow*>& flows) const {
  std::map<std::uint64_t, Flow*> found;
  std::vector<Stage*> pending = touched_;
  while (!pending.empty()) {
    Stage* stage = pending.back();
    pending.pop_back();
    if (std::ranges::find(stages, stage) != stages.end()) {
      continue;
    }
    stages.push_back(stage);
    for (const auto& [number, flow] : shared_of(*stage).flows) {
      if (found.emplace(number, flow).second) {
        pending.insert(pending.end(), flow->stages.begin(), flow->stages.end());
      }
    }
  }
  std::ranges::sort(stages, earlier);
  for (const auto& [number, flow] : found) {
    flows.push_back(flow);
  }
}

void Flows::do_finish(Machine& machine, Job& job, std::uint64_t epoch) {
  if (epoch != epoch_) {
    return;
  }
  const std::vector<Stage*> stages = flows_.at(job.number).stages;
  remove(machine, job);
  for (std::size_t at = 1; at < stages.size(); ++at) {
    stages[at]->count(machine, job);
  }
  stages.front()->done(machine, job);
}

std::vector<bool> shared_stages(const ir::Program& program) {
  std::vector<bool> shared(program.stages.size(), false);
  const auto mark = [&](const ir::StageReference& reference) {
    for (std::uint32_t member = 0; member < reference.count; ++member) {
      shared[reference.base + member] = true;
    }
  };
  for (const ir::Block& block : program.blocks) {
    for (const ir::Statement& statement : block) {
      const auto* run = std::get_if<ir::Run>(&statement);
      if (run != nullptr && !run->also.empty()) {
        mark(run->stage);
        std::ranges::for_each(run->also, mark);
      }
    }
  }
  return shared;
}

void share_bottleneck(const std::vector<Flow*>& flows) {
  for (Flow* flow : flows) {
    bool first = true;
    for (const Stage* stage : flow->stages) {
      const Shared& shared = std::get<Shared>(stage->kind);
      const double part = shared.capacity / static_cast<double>(shared.flows.size());
      flow->rate = first || part < flow->rate ? part : flow->rate;
      first = false;
    }
  }
}

void share_maxmin(const std::vector<Stage*>& stages, const std::vector<Flow*>& flows) {
  std::map<const Stage*, double> left;
  std::map<const Stage*, std::size_t> rising;
  for (Stage* stage : stages) {
    left[stage] = shared_of(*stage).capacity;
    rising[stage] = shared_of(*stage).flows.size();
  }
  std::vector<Flow*> unfixed = flows;
  while (!unfixed.empty()) {
    const Stage* full = nullptr;
    double least = 0.0;
    for (const Stage* stage : stages) {
      if (rising[stage] != 0) {
        const double part = left[stage] / static_cast<double>(rising[stage]);
        if (full == nullptr || part < least) {
          full = stage;
          least = part;
        }
      }
    }
    const double rate = maximum(least, 0.0);
    const auto stopped = [&](const Flow* flow) { return holds(*flow, full); };
    for (Flow* flow : unfixed) {
      if (stopped(flow)) {
        flow->rate = rate;
        for (const Stage* stage : flow->stages) {
          left[stage] -= rate;
          --rising[stage];
        }
      }
    }
    std::erase_if(unfixed, stopped);
  }
}

double carried(const Shared& shared) {
  double total = 0.0;
  for (const auto& [number, flow] : shared.flows) {
    total += flow->rate;
  }
  return total;
}

void start(Machine& machine, Stage& stage, Shared& /*shared*/, Job& job) {
  machine.flows.start(machine, job, {&stage});
}

void remove(Machine& machine, Stage& /*stage*/, Shared& /*shared*/, Job& job) {
  machine.flows.remove(machine, job);
}

std::size_t present(const Shared& shared) { return shared.flows.size(); }

double work_left(const Shared& shared, double now) {
  const double passed = now - shared.group->since();
  double total = -0.0;
  for (const auto& [number, flow] : shared.flows) {
    total += maximum(flow->remaining - flow->rate * passed, 0.0);
  }
  return total;
}

}  // namespace serq
