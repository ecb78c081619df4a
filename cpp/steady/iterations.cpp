#include <algorithm>

#include "admission.hpp"
#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "preemption.hpp"
#include "stages/step.hpp"
#include "steady/steady.hpp"

namespace serq {
namespace {

// How many of the counted come before a resident that is not counted.
std::size_t counted_before(const Step& step, const Job& job) {
  const auto ordered = [](const Job* a, const Job* b) { return precedes(*a, *b); };
  const auto among = [&](const Items<Job*>& jobs) {
    if (jobs.back() == &job) {
      return jobs.size() - 1;
    }
    return static_cast<std::size_t>(
        std::lower_bound(jobs.begin(), jobs.end(), &job, ordered) - jobs.begin());
  };
  return among(step.residents) - among(step.steady.others);
}

// What the residents are given, in their order: the counted a token each, the others in
// `tokens`. False when somebody counted would get nothing.
bool share_budget(Step& step) {
  Steady& steady = step.steady;
  double left = step.plan.budget;
  std::size_t passed = 0;
  for (Job* job : steady.others) {
    const bool stalled = job->growing != nullptr && job->session->status == Status::growing;
    const double wanted = stalled ? 0.0 : want(*job, step.plan.chunk);
    job->tokens = 0.0;
    if (!(wanted > 0.0)) {
      continue;
    }
    job->before = counted_before(step, *job);
    left -= static_cast<double>(job->before - passed);
    passed = job->before;
    if (left > 0.0) {
      job->tokens = minimum(wanted, left);
      left -= job->tokens;
    }
  }
  const auto rest = static_cast<double>(steady.counted - passed);
  if (left < rest) {
    return false;
  }
  step.plan.left = left - rest;
  return true;
}

double growth_of(const Job& job) {
  const Holding* holding = job.growing;
  if (holding == nullptr || !(job.tokens > 0.0)) {
    return 0.0;
  }
  const double units = holding->position + job.tokens - holding->allocated;
  if (!(units > SLACK)) {
    return 0.0;
  }
  return holding->pool->round_up(holding->allocated + units) - holding->allocated;
}

// What the others grow by in all; negative when one of them grows elsewhere than the counted.
double growth_of_others(Steady& steady) {
  double units = 0.0;
  for (const Job* job : steady.others) {
    const double grows = growth_of(*job);
    if (grows > 0.0) {
      Pool* pool = job->growing->pool;
      if (steady.pool == nullptr && pool->whole_blocks) {
        steady.pool = pool;
      }
      if (pool != steady.pool) {
        return -1.0;
      }
      units += grows;
    }
  }
  return units;
}

void take(Machine& machine, Step& step, Job& job) {
  job.planned = step.plans;
  if (const double grows = growth_of(job); grows > 0.0) {
    extend(machine, *job.growing, grows);
  }
  step.plan.batch.push_back(&job);
}

// Serves those who came since. False when somebody's growth has to ask: the plan is spelled out.
bool serve_late(Machine& machine, Step& step) {
  Plan& plan = step.plan;
  std::uint64_t changes = step.changes - 1;
  for (std::size_t at = 0; at < step.steady.others.size(); ++at) {
    if (changes != step.changes) {
      changes = step.changes;
      at = 0;
    }
    Job& job = *step.steady.others[at];
    if (job.planned == step.plans || !(plan.left > 0.0)) {
      continue;
    }
    job.tokens = minimum(want(job, plan.chunk), plan.left);
    const double grows = growth_of(job);
    if (grows > 0.0) {
      machine.touch(*job.growing->pool);
    }
    if (grows > 0.0 && !job.growing->pool->has_room(grows)) {
      spell_out(step);
      return false;
    }
    job.planned = step.plans;
    job.before = step.steady.counted;
    serve(machine, plan, job);
  }
  return true;
}

// Admits, as the general path does once every resident was served.
Planned admit_late(Machine& machine, Stage& stage, Step& step) {
  Steady& steady = step.steady;
  steady.planning = true;
  while (step.plan.left > 0.0 && admit_one(machine, stage, step.plan)) {
    if (!steady.planning || !serve_late(machine, step)) {
      make_rest(machine, stage, step);
      return Planned::spelled_out;
    }
  }
  steady.planning = false;
  return Planned::counted;
}

}  // namespace

void spell_out(Step& step) {
  Steady& steady = step.steady;
  Plan& plan = step.plan;
  Items<Job*> batch;
  std::size_t other = 0;
  for (Job* job : step.residents) {
    if (job->stamp != 0) {
      job->tokens = 1.0;
      job->planned = step.plans;
      batch.push_back(job);
    } else if (other < steady.late && plan.batch[other] == job) {
      batch.push_back(job);
      ++other;
    }
  }
  batch.insert(batch.end(), plan.batch.begin() + static_cast<std::ptrdiff_t>(steady.late),
               plan.batch.end());
  plan.batch.swap(batch);
  uncount_all(step);
  steady.planning = false;
}

Planned plan_counted(Machine& machine, Stage& stage, Step& step) {
  Steady& steady = step.steady;
  count_ready(machine, stage, step);
  if (steady.counted == 0) {
    return Planned::not_at_all;
  }
  Plan& plan = step.plan;
  plan.begin(machine, steady.budget, steady.chunk, step.residents);
  bool possible = share_budget(step);
  if (possible) {
    const double units = growth_of_others(steady);
    possible = units >= 0.0 && grow_counted(machine, step, units);
  }
  if (!possible) {
    uncount_all(step);
    return Planned::not_at_all;
  }
  ++step.plans;
  for (Job* job : steady.others) {
    job->planned = step.plans;
    if (job->tokens > 0.0) {
      take(machine, step, *job);
    }
  }
  steady.late = plan.batch.size();
  return step.queued != 0 ? admit_late(machine, stage, step) : Planned::counted;
}

void describe_counted(const Step& step, Scope& scope) {
  const auto counted = static_cast<double>(step.steady.counted);
  scope[ir::Context::residents] = counted;
  scope[ir::Context::decoders] = counted;
  scope[ir::Context::kv_decode] = step.steady.kv_decode;
  scope[ir::Context::kv_prefill] = 0.0;
  scope[ir::Context::tokens] = counted;
  scope[ir::Context::prefilled] = 0.0;
  scope[ir::Context::attention] = 0.0;
}

double cost_of_counted(Machine& machine, Step& step) {
  Steady& steady = step.steady;
  if (!steady.cost_known) {
    describe_counted(step, machine.step_scope);
    steady.cost = cost_of(step, machine.step_scope);
    steady.cost_known = step.cost_stays;
  }
  return steady.cost;
}

void begin_counted(Machine& machine, Stage& stage, Step& step) {
  Steady& steady = step.steady;
  Scope& scope = machine.step_scope;
  ++steady.begun;
  if (steady.others.empty()) {
    return begin_iteration(machine, stage, step, steady.counted, cost_of_counted(machine, step));
  }
  count_totals(step, scope, step.plan.batch);
  const auto counted = static_cast<double>(steady.counted);
  double tokens = 0.0;
  double prefilled = 0.0;
  double attention = 0.0;
  std::size_t passed = 0;
  for (const Job* job : step.plan.batch) {
    tokens = after_tokens(tokens, job->before - passed) + job->tokens;
    passed = job->before;
    Holding* holding = job->growing;
    if (!job->decoding) {
      const double position = holding == nullptr ? 0.0 : holding->position;
      prefilled += job->tokens;
      attention += job->tokens * (position + job->tokens / 2.0);
    }
    if (holding != nullptr) {
      holding->position += job->tokens;
      holding->hold->grown = true;
    }
  }
  scope[ir::Context::tokens] = after_tokens(tokens, steady.counted - passed);
  scope[ir::Context::prefilled] = prefilled;
  scope[ir::Context::attention] = attention;
  scope[ir::Context::decoders] += counted;
  scope[ir::Context::kv_decode] += steady.kv_decode;
  steady.cost_known = false;
  const auto decodes = static_cast<std::uint64_t>(scope[ir::Context::decoders]);
  begin_iteration(machine, stage, step, decodes, cost_of(step, scope));
}

void end_counted(Machine& machine, Stage& stage, Step& step) {
  Steady& steady = step.steady;
  const double gap = machine.now - steady.last_token;
  std::size_t told = 0;
  std::vector<Job*>& finished = machine.finished;
  finished.clear();
  for (Job* job : step.plan.batch) {
    job->left -= job->tokens;
    const bool done = job->left <= DONE;
    if (job->session != nullptr && (done || job->decoding)) {
      const double own = gap_of(machine, stage, *job->session, job->decoding);
      if (own >= 0.0 && own != gap && job->before > told) {
        step.gaps.add_many(gap, job->before - told);
        told = job->before;
      }
      record_token(machine, stage, *job->session, job->decoding);
    }
    if (done) {
      finished.push_back(job);
    }
  }
  if (machine.warm && steady.counted > told) {
    step.gaps.add_many(gap, steady.counted - told);
  }
  ++steady.ended;
  steady.last_token = machine.now;
  // Whoever all of the counted precede comes behind them; the rest are in their order.
  const auto early = std::ranges::partition_point(
      finished, [&](const Job* job) { return job->before < steady.counted; });
  auto behind = early - finished.begin();
  Items<Due>& ends = steady.ends;
  while (!ends.empty() && ends.front().iteration <= steady.ended) {
    const Due due = ends.front();
    std::ranges::pop_heap(ends, Later{});
    ends.pop_back();
    if (due.stamp == due.job->stamp) {
      uncount(step, *due.job);
      if (due.job->left <= DONE) {
        auto at = finished.begin() + behind;
        while (at != finished.begin() && precedes(*due.job, **(at - 1))) {
          --at;
        }
        finished.insert(at, due.job);
        ++behind;
      }
    }
  }
  steady.next_end = ends.empty() ? steady.ended : ends.front().iteration;
}

}  // namespace serq
