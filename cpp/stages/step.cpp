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
  return reads(*step.budget) || reads(*step.chunk) ||
         (keys != nullptr && std::ranges::any_of(*keys, reads));
}

void share(const ir::Expression*& own, const ir::Expression* other) {
  if (same(*own, *other)) {
    own = other;
  }
}

}  // namespace

Step::Step(const ir::Step& is, const Step* alike)
    : budget(is.budget.get()),
      chunk(is.chunk.get()),
      keys(serve_keys(is)),
      keys_live(keys != nullptr && reads_live_state(*keys)),
      totals_read(reads_totals(is)),
      cost_stays(!reads_context(*is.cost, {ir::Context::now}) && !draws(*is.cost)),
      cost(is.cost.get()) {
  plan.exclusive = std::holds_alternative<ir::ExclusivePrefill>(is.serve);
  // what most engines have in these lists: side by side in one line
  steady.others.reserve(4);
  queues.reserve(2);
  plan.batch.reserve(2);
  if (alike != nullptr) {
    share(budget, alike->budget);
    share(chunk, alike->chunk);
    share(cost, alike->cost);
  }
  const bool shared = alike != nullptr && cost == alike->cost;
  cost_path = shared ? alike->cost_path : ContextPath::of(*cost, ir::Context::kv_decode);
}

double want(const Job& job, double chunk) {
  if (job.decoding) {
    return job.left < 1.0 ? job.left : 1.0;
  }
  return chunk > 0.0 ? minimum(job.left, chunk) : job.left;
}

void start(Machine& machine, Stage& stage, Step& step, Job& job) {
  rouse(machine, stage);
  stage.join(machine, job);
  job.started = machine.now;
  job.admission = job.session == nullptr ? BEFORE_ANY : job.session->admission;
  add_resident(step, job);
  ++step.changes;
  machine.unsettle(stage);
}

void remove(Machine& machine, Stage& stage, Step& step, Job& job) {
  rouse(machine, stage);
  remove_resident(step, job);
  job.stage = nullptr;
  std::erase(step.residents, &job);
  std::erase(step.steady.others, &job);
  step.plan.forget(job);
  ++step.changes;
  machine.change(stage);
}

std::size_t present(const Step& step) { return step.residents.size(); }

double work_left(const Step& step, double /*now*/) {
  if (const std::optional<double> total = whole_tokens_left(step)) {
    return *total;
  }
  Items<Job*> jobs = step.residents;
  std::ranges::sort(jobs, {}, &Job::number);
  double total = -0.0;
  for (const Job* job : jobs) {
    total += tokens_left(step, *job);
  }
  return total;
}

Budget evaluate_budget(const Step& step, Scope& scope) {
  if (step.totals_read) {
    count_totals(step, scope, step.residents);
  }
  const double tokens = evaluate(*step.budget, scope);
  return {tokens, evaluate(*step.chunk, scope)};
}

void count_totals(const Step& step, Scope& scope, const Items<Job*>& jobs) {
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

double budget_left(Machine& machine, Stage& stage) {
  const Step& step = std::get<Step>(stage.kind);
  const Steady& steady = step.steady;
  Budget budget{steady.budget, steady.chunk};
  if (!steady.allowed) {
    Scope inquiry = machine.scope_of_nobody();
    budget = evaluate_budget(step, inquiry);
  }
  auto wanted = static_cast<double>(steady.counted);
  bool in_any_order = true;
  for (const Job* job : steady.others) {
    const double own = want(*job, budget.chunk);
    in_any_order &= floor(own) == own;
    wanted += own;
  }
  if (!in_any_order || !(wanted < ALL_WHOLE)) {
    wanted = 0.0;
    for (const Job* job : step.residents) {
      wanted += job->stamp != 0 ? 1.0 : want(*job, budget.chunk);
    }
  }
  const double left = budget.tokens - wanted;
  return left > 0.0 ? left : 0.0;
}

[[gnu::noinline]] bool settle(Machine& machine, Stage& stage, Step& step, bool pending) {
  if (step.running || (step.residents.empty() && step.queued == 0)) {
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
  Plan& plan = step.plan;
  const Planned planned =
      step.steady.allowed ? plan_counted(machine, stage, step) : Planned::not_at_all;
  if (planned == Planned::counted) {
    return begin_counted(machine, stage, step);
  }
  if (planned == Planned::not_at_all) {
    const Budget budget = evaluate_budget(step, machine.step_scope);
    plan.begin(machine, budget.tokens, budget.chunk, step.residents);
    make_plan(machine, stage, step);
  }
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
  Scope& scope = machine.step_scope;
  count_totals(step, scope, plan.batch);
  scope[ir::Context::tokens] = tokens;
  scope[ir::Context::prefilled] = prefilled;
  scope[ir::Context::attention] = attention;
  const auto decodes = static_cast<std::uint64_t>(scope[ir::Context::decoders]);
  begin_iteration(machine, stage, step, decodes, cost_of(step, scope));
}

double cost_of(const Step& step, const Scope& scope) {
  return maximum(evaluate(*step.cost, scope), 0.0);
}

void begin_iteration(Machine& machine, Stage& stage, Step& step, std::uint64_t decodes,
                     double cost) {
  step.running = true;
  ++stage.iterations;
  step.composition.begin(decodes, batch_size(step) - decodes, cost, machine.warm);
  machine.change(stage);
  const double end = machine.now + cost;
  machine.events.schedule_iteration(fall_asleep(machine, stage, step, end), stage.index);
}

void do_iteration_end(Machine& machine, Stage& stage) {
  Step& step = std::get<Step>(stage.kind);
  wake(machine, stage, step);
  step.running = false;
  step.composition.end();
  machine.change(stage);
  machine.unsettle(stage);
  std::vector<Job*>& finished = machine.finished;
  if (step.steady.counted != 0) {
    end_counted(machine, stage, step);
  } else {
    finished.clear();
    for (Job* job : step.plan.batch) {
      job->left -= job->tokens;
      const bool done = job->left <= DONE;
      if (job->session != nullptr && (done || job->decoding)) {
        record_token(machine, stage, *job->session, job->decoding);
      }
      if (done) {
        finished.push_back(job);
      }
    }
  }
  step.plan.batch.clear();
  for (Job* job : finished) {
    std::erase(step.residents, job);
    std::erase(step.steady.others, job);
    ++step.changes;
    stage.done(machine, *job);
  }
}

}  // namespace serq
