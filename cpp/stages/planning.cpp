// Twin of src/serq/semantics/stages/planning.py.
#include "stages/planning.hpp"

#include <algorithm>

#include "admission.hpp"
#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "preemption.hpp"
#include "stages/step.hpp"

namespace serq {

void Plan::begin(const Machine& machine, double tokens, double cap,
                 const Items<Job*>& residents) {
  budget = left = tokens;
  chunk = cap;
  batch.clear();
  preemptions = machine.preemptions;
  if (exclusive) {
    prefills_only =
        std::ranges::any_of(residents, [](const Job* job) { return !job->decoding; });
  }
}

void Plan::forget(Job& job) {
  const auto found = std::ranges::find(batch, &job);
  if (found != batch.end()) {
    batch.erase(found);
    left += job.tokens;
  }
}

void make_plan(Machine& machine, Stage& stage, Step& step) {
  ++step.plans;
  make_rest(machine, stage, step);
}

void make_rest(Machine& machine, Stage& stage, Step& step) {
  Plan& plan = step.plan;
  const std::uint64_t number = step.plans;
  const bool keyed = step.keys != nullptr;
  Items<Job*> ordered;
  const auto order_anew = [&] {
    if (keyed) {
      serving_order(machine, step, ordered);
    }
  };
  order_anew();
  const Items<Job*>& line = keyed ? ordered : step.residents;
  std::uint64_t changes = step.changes;
  std::size_t at = 0;
  while (true) {
    if (changes != step.changes || step.keys_live) {
      order_anew();
      changes = step.changes;
      at = 0;
    }
    while (at < line.size() && line[at]->planned == number) {
      ++at;
    }
    if (at == line.size()) {
      if (!admit_one(machine, stage, plan)) {
        return;
      }
      continue;
    }
    Job& job = *line[at];
    job.planned = number;
    const bool decoding = job.decoding;
    if (serve(machine, plan, job)) {
      if ((plan.exclusive && !decoding) || plan.left <= 0.0) {
        return;
      }
    }
  }
}

void serving_order(Machine& machine, Step& step, Items<Job*>& line) {
  struct Keyed {
    std::vector<std::int64_t> keys;
    Job* job;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(step.residents.size());
  Scope& scope = machine.step_scope;
  for (Job* job : step.residents) {
    Session* session = job->session;
    scope[ir::Context::decoding] = job->decoding ? 1.0 : 0.0;
    scope[ir::Context::admission] = session == nullptr ? 0.0 : session->admission;
    scope[ir::Context::remaining] = job->left;
    scope.session = session;
    scope.attributes = session == nullptr ? machine.nobody.data() : session->attributes.data();
    std::vector<std::int64_t> keys;
    keys.reserve(step.keys->size());
    for (const ir::Expression& key : *step.keys) {
      keys.push_back(order(evaluate(key, scope)));
    }
    keyed.push_back({std::move(keys), job});
  }
  scope.session = nullptr;
  scope.attributes = machine.nobody.data();
  std::ranges::stable_sort(keyed, {}, &Keyed::keys);
  line.clear();
  for (const Keyed& each : keyed) {
    line.push_back(each.job);
  }
}

bool serve(Machine& machine, Plan& plan, Job& job) {
  double available = plan.left;
  if (plan.exclusive) {
    if (job.decoding && plan.prefills_only) {
      return false;
    }
    if (!job.decoding) {
      available = plan.budget;
    }
  }
  const double tokens = minimum(want(job, plan.chunk), available);
  if (tokens <= 0.0) {
    return false;
  }
  if (Holding* holding = job.growing) {
    if (holding->session->status == Status::growing) {
      return false;
    }
    const double need = holding->position + tokens - holding->allocated;
    if (need > SLACK && !grow(machine, *holding, need)) {
      return false;
    }
  }
  if (plan.exclusive && !job.decoding) {
    plan.batch.clear();
    plan.left = plan.budget;
  }
  job.tokens = tokens;
  plan.batch.push_back(&job);
  plan.left -= tokens;
  return true;
}

bool admit_one(Machine& machine, Stage& stage, const Plan& plan) {
  if (!(plan.left > 0.0) || machine.preemptions != plan.preemptions) {
    return false;
  }
  const double left = plan.exclusive ? plan.budget : plan.left;
  if (!admit_for(machine, stage, left)) {
    return false;
  }
  machine.run_ready();
  return true;
}

}  // namespace serq
