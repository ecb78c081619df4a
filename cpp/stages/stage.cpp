// Twin of src/serq/semantics/stages/stage.py.
#include "stages/stage.hpp"

#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "stages/delay.hpp"
#include "stages/fifo.hpp"
#include "stages/ps.hpp"
#include "stages/step.hpp"

namespace serq {

[[gnu::always_inline]] inline void Stage::record(double now) {
  changed = false;
  if (auto* step = std::get_if<Step>(&kind)) {
    // most instants leave an iteration like the one before
    const Composition& composition = step->composition;
    const Shape shape{step->residents.size(), composition.decodes, composition.prefills};
    if (shape == step->recorded) {
      return;
    }
    step->recorded = shape;
    step->composition.record(now);
  }
  const std::size_t jobs = present(*this);
  if (const auto* shared = std::get_if<Shared>(&kind)) {
    busy_average.record(carried(*shared) / shared->capacity, now);
  } else if ((jobs != 0) != (recorded_jobs != 0)) {
    busy_average.record(jobs != 0 ? 1.0 : 0.0, now);
  }
  if (jobs != recorded_jobs) {
    recorded_jobs = jobs;
    number_average.record(real(jobs), now);
  }
}

void Stage::restart(double now) {
  number_average.restart(now);
  busy_average.restart(now);
  if (auto* step = std::get_if<Step>(&kind)) {
    step->composition.restart(now);
  }
}

void Stage::join(Machine& machine, Job& job) {
  job.stage = this;
  job.enqueued = machine.now;
  machine.change(*this);
}

[[gnu::always_inline]] inline void Stage::count(Machine& machine, const Job& job) {
  const double waited = job.started - job.enqueued;
  const double served = machine.now - job.started;
  if (machine.estimates) {
    estimates.update(job.started, waited, served);
  }
  if (machine.warm) {
    ++completed;
    wait.add(waited);
    service.add(served);
  }
  machine.change(*this);
}

[[gnu::always_inline]] inline void Stage::done(Machine& machine, Job& job) {
  count(machine, job);
  job.stage = nullptr;
  Session* session = job.session;
  machine.jobs.give_back(job);
  if (session != nullptr) {
    session->job = nullptr;
    session->status = Status::ready;
    machine.make_ready(*session);
  }
}

[[gnu::noinline]] void start_other(Machine& machine, Stage& stage, Job& job) {
  std::visit([&](auto& kind) { start(machine, stage, kind, job); }, stage.kind);
}

[[gnu::always_inline]] inline void start(Machine& machine, Stage& stage, Job& job) {
  if (std::holds_alternative<Step>(stage.kind)) {
    static_cast<StepJob&>(job) = {};
    job.left = job.work;
  }
  if (auto* fifo = std::get_if<Fifo>(&stage.kind)) {
    start(machine, stage, *fifo, job);
  } else if (auto* ps = std::get_if<Ps>(&stage.kind)) {
    start(machine, stage, *ps, job);
  } else {
    start_other(machine, stage, job);
  }
}

void remove(Machine& machine, Stage& stage, Job& job) {
  std::visit([&](auto& kind) { remove(machine, stage, kind, job); }, stage.kind);
}

[[gnu::always_inline]] inline bool settle(Machine& machine, Stage& stage, bool pending) {
  if (auto* step = std::get_if<Step>(&stage.kind)) {
    return settle(machine, stage, *step, pending);
  }
  if (auto* ps = std::get_if<Ps>(&stage.kind)) {
    settle(machine, stage, *ps);
  }
  return false;
}

[[gnu::always_inline]] inline std::size_t present(const Stage& stage) {
  if (const auto* fifo = std::get_if<Fifo>(&stage.kind)) {
    return present(*fifo);
  }
  if (const auto* ps = std::get_if<Ps>(&stage.kind)) {
    return present(*ps);
  }
  return std::visit([](const auto& kind) { return present(kind); }, stage.kind);
}

std::size_t busy(const Stage& stage) {
  if (const auto* fifo = std::get_if<Fifo>(&stage.kind)) {
    return fifo->served.size();
  }
  if (const auto* step = std::get_if<Step>(&stage.kind)) {
    return step->running ? batch_size(*step) : 0;
  }
  return present(stage);
}

double work_left(const Stage& stage, double now) {
  return std::visit([&](const auto& kind) { return work_left(kind, now); }, stage.kind);
}

void make_stages(Machine& machine) {
  const std::vector<bool> shared = shared_stages(machine.program);
  machine.stages.reserve(machine.program.stages.size());
  for (const ir::Stage& definition : machine.program.stages) {
    const auto index = static_cast<std::uint32_t>(machine.stages.size());
    if (const auto* ps = std::get_if<ir::Ps>(&definition.kind)) {
      if (shared[index]) {
        const double capacity = ps->capacity.nodes.front().value;
        machine.stages.emplace_back(index, Shared{&machine.flows, capacity, {}});
      } else {
        machine.stages.emplace_back(index, Ps(machine, ps->capacity));
      }
    } else if (const auto* fifo = std::get_if<ir::Fifo>(&definition.kind)) {
      machine.stages.emplace_back(index, Fifo{fifo->servers, {}, {}});
    } else if (const auto* step = std::get_if<ir::Step>(&definition.kind)) {
      const Step* before = index != 0 ? std::get_if<Step>(&machine.stages.back().kind) : nullptr;
      machine.stages.emplace_back(index, Step(*step, before));
    } else {
      machine.stages.emplace_back(index, Delay{});
    }
  }
}

void connect(Machine& machine) {
  for (Pool& pool : machine.pools) {
    pool.whole_blocks = pool.has_block && floor(pool.block) == pool.block && !pool.snapshots;
  }
  for (const Pool& pool : machine.pools) {
    if (pool.definition->spill) {
      Pool& tier = machine.pools[pool.definition->spill->to];
      tier.is_tier = true;
      tier.whole_blocks = false;
    }
  }
  for (Pool& pool : machine.pools) {
    if (pool.definition->admit_via) {
      pool.engine = &machine.stages[*pool.definition->admit_via];
      std::get<Step>(pool.engine->kind).queues.push_back(&pool);
    }
  }
  for (Stage& stage : machine.stages) {
    auto* step = std::get_if<Step>(&stage.kind);
    const auto* definition = std::get_if<ir::Step>(&machine.program.stages[stage.index].kind);
    if (step != nullptr && definition->memory) {
      step->memory = &machine.pools[*definition->memory];
      step->memory->engines.push_back(&stage);
    }
    if (step != nullptr) {
      allow_counting(machine, *step);
    }
  }
  allow_sleep(machine);
}

}  // namespace serq
