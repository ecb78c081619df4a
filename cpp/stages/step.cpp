// Twin of src/serq/semantics/stages/step.py.
#include "stages/step.hpp"

#include <algorithm>

#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "stages/planning.hpp"

namespace serq {
namespace {

const std::vector<ir::Expression>* serve_keys(const ir::Step& step) {
  const auto* serve_by = std::get_if<ir::ServeBy>(&step.serve);
  return serve_by == nullptr || serve_by->keys.empty() ? nullptr : &serve_by->keys;
}

bool reads_totals(const ir::Step& step) {
  const std::vector<ir::Context> totals{ir::Context::residents, ir::Context::decoders,
                                        ir::Context::kv_decode, ir::Context::kv_prefill};
  const auto reads = [&](const ir::Expression& expression) {
    return reads_context(expression, totals);
  };
  const std::vector<ir::Expression>* keys = serve_keys(step);
  return reads(step.budget) || reads(step.chunk) ||
         (keys != nullptr && std::ranges::any_of(*keys, reads));
}

// What was planned runs, and lasts its cost.
void begin_iteration(Machine& machine, Stage& stage, Step& step, double cost) {
  step.running = true;
  ++stage.iterations;
  const auto decodes = static_cast<std::uint64_t>(step.scope[ir::Context::decoders]);
  step.composition.begin(decodes, step.plan.batch.size() - decodes, cost, machine.warm);
  machine.change(stage);
  Event event;
  event.kind = EventKind::iteration_end;
  event.stage = stage.index;
  machine.events.schedule(machine.now + cost, event);
}

}  // namespace

Step::Step(Machine& machine, const ir::Step& is)
    : kind(&is),
      keys(serve_keys(is)),
      keys_live(keys != nullptr && reads_live_state(*keys)),
      totals_read(reads_totals(is)),
      scope(machine, machine.streams.session, nullptr, machine.nobody.data()),
      inquiry(machine, machine.streams.session, nullptr, machine.nobody.data()) {
  cost_stays = !reads_context(is.cost, {ir::Context::now}) &&
               std::ranges::none_of(is.cost.nodes, [](const ir::Node& node) {
                 return node.kind == ir::NodeKind::draw;
               });
  plan.exclusive = std::holds_alternative<ir::ExclusivePrefill>(is.serve);
  may_be_steady = serq::may_be_steady(*this);
}

double want(const Job& job, double chunk) {
  if (job.decoding) {
    return job.left < 1.0 ? job.left : 1.0;
  }
  return chunk > 0.0 ? minimum(job.left, chunk) : job.left;
}

void start(Machine& machine, Stage& stage, Step& step, Job& job) {
  leave_steady(step);
  stage.join(machine, job);
  job.started = machine.now;
  job.admission = job.session == nullptr ? BEFORE_ANY : job.session->admission;
  const auto at =
      std::ranges::upper_bound(step.residents, job.admission, {}, &Job::admission);
  step.residents.insert(at, &job);
  ++step.changes;
  machine.unsettle(stage);
}

void remove(Machine& machine, Stage& stage, Step& step, Job& job) {
  leave_steady(step);
  job.stage = nullptr;
  std::erase(step.residents, &job);
  step.plan.forget(job);
  ++step.changes;
  machine.change(stage);
}

std::size_t present(const Step& step) { return step.residents.size(); }

double work_left(const Step& step, double /*now*/) {
  std::vector<Job*> jobs = step.residents;
  std::ranges::sort(jobs, {}, &Job::number);
  double total = -0.0;
  for (const Job* job : jobs) {
    total += job->left;
  }
  return total;
}

Budget evaluate_budget(Step& step, Scope& scope) {
  if (step.totals_read) {
    count_totals(step, scope, step.residents);
  }
  const double tokens = evaluate(step.kind->budget, scope);
  return {tokens, evaluate(step.kind->chunk, scope)};
}

void count_totals(const Step& step, Scope& scope, const std::vector<Job*>& jobs) {
  std::size_t decoders = 0;
  double kv_decode = 0.0;
  double kv_prefill = 0.0;
  for (const Job* job : jobs) {
    double held = 0.0;
    if (step.memory != nullptr && job->session != nullptr) {
      held = job->session->allocated(*step.memory);
    }
    if (job->decoding) {
      ++decoders;
      kv_decode += held;
    } else {
      kv_prefill += held;
    }
  }
  scope[ir::Context::residents] = static_cast<double>(step.residents.size());
  scope[ir::Context::decoders] = static_cast<double>(decoders);
  scope[ir::Context::kv_decode] = kv_decode;
  scope[ir::Context::kv_prefill] = kv_prefill;
}

double budget_left(Machine& /*machine*/, Stage& stage) {
  Step& step = std::get<Step>(stage.kind);
  const Budget budget = evaluate_budget(step, step.inquiry);
  if (step.steady.on) {
    const double free = budget.tokens - step.steady.batch;
    return free > 0.0 ? free : 0.0;
  }
  double wanted = 0.0;
  for (const Job* job : step.residents) {
    wanted += want(*job, budget.chunk);
  }
  const double left = budget.tokens - wanted;
  return left > 0.0 ? left : 0.0;
}

bool settle(Machine& machine, Stage& stage, Step& step, bool pending) {
  const auto somebody = [](const Pool* pool) { return !pool->queue.empty(); };
  if (step.running || (step.residents.empty() && std::ranges::none_of(step.queues, somebody))) {
    return false;
  }
  if (!pending) {
    try {
      begin(machine, stage, step);
    } catch (const RunError& error) {
      throw error.placed({Part::stage, stage.index, 0, 0});
    }
  }
  return !step.running;
}

void begin(Machine& machine, Stage& stage, Step& step) {
  const double steady_cost = begin_steady(machine, step);
  if (steady_cost >= 0.0) {
    return begin_iteration(machine, stage, step, steady_cost);
  }
  Plan& plan = step.plan;
  const Budget budget = evaluate_budget(step, step.scope);
  plan.begin(machine, budget.tokens, budget.chunk, step.residents);
  make_plan(machine, stage, step);
  if (plan.batch.empty() && machine.preemptions == plan.preemptions) {
    return;
  }
  double tokens = 0.0;
  double prefilled = 0.0;
  double attention = 0.0;
  for (const Job* job : plan.batch) {
    tokens += job->tokens;
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
  Scope& scope = step.scope;
  count_totals(step, scope, plan.batch);
  scope[ir::Context::tokens] = tokens;
  scope[ir::Context::prefilled] = prefilled;
  scope[ir::Context::attention] = attention;
  const double cost = maximum(evaluate(step.kind->cost, scope), 0.0);
  begin_iteration(machine, stage, step, cost);
  enter_steady(machine, stage, step);
}

void do_iteration_end(Machine& machine, Stage& stage) {
  Step& step = std::get<Step>(stage.kind);
  step.running = false;
  step.composition.end();
  machine.change(stage);
  machine.unsettle(stage);
  if (end_steady(machine, step)) {
    return;
  }
  std::vector<Job*>& batch = step.plan.batch;
  std::size_t done = 0;
  for (Job* job : batch) {
    job->left -= job->tokens;
    const bool finished = job->left <= DONE;
    if (job->session != nullptr && (finished || job->decoding)) {
      record_token(machine, stage, *job->session, job->decoding);
    }
    if (finished) {
      batch[done++] = job;
    }
  }
  for (std::size_t at = 0; at < done; ++at) {
    std::erase(step.residents, batch[at]);
    ++step.changes;
    stage.done(machine, *batch[at]);
  }
  batch.clear();
}

}  // namespace serq
