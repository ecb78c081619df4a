#include "steady/steady.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "preemption.hpp"
#include "stages/step.hpp"
#include "structures/codes.hpp"

namespace serq {
namespace {

constexpr double MOST_TOKENS = 4503599627370496.0;

// Whether its growth asks nobody: an eviction that reads keys, or spills, may look at jobs.
bool grows_alone(const Holding* holding) {
  return holding == nullptr ||
         (!holding->pool->definition->evict && !holding->pool->definition->spill);
}

bool whole_blocks(const Pool* memory) {
  return memory == nullptr || (memory->has_block && floor(memory->block) == memory->block);
}

// Whether what the iteration serves is one whole token for every resident, all of whom had
// their latest token now.
bool all_decode(const Machine& machine, const Stage& stage, const Step& step) {
  if (step.plan.batch.size() != step.residents.size() || step.residents.empty()) {
    return false;
  }
  const std::uint32_t turn_no = machine.program.slots.turn_no;
  return std::ranges::all_of(step.residents, [&](const Job* job) {
    const Session* session = job->session;
    return job->decoding && job->tokens == 1.0 && session != nullptr && job->left >= 1.0 &&
           session->token.stage == &stage && session->token.time == machine.now &&
           session->token.turn == session->attributes[turn_no] && grows_alone(job->growing);
  });
}

// The number of iterations, from 1, in the last of which the holding has to grow.
std::uint64_t until_growth(const Holding& holding) {
  const double room = floor(holding.allocated - holding.position) - 1.0;
  if (!(room < MOST_TOKENS)) {
    return std::numeric_limits<std::uint64_t>::max() / 2;
  }
  auto count = static_cast<std::uint64_t>(room > 1.0 ? room : 1.0);
  while (!(after_tokens(holding.position, count - 1) + 1.0 - holding.allocated > SLACK)) {
    ++count;
  }
  return count;
}

bool somebody_waits(const Step& step) {
  return std::ranges::any_of(step.queues, [](const Pool* pool) { return !pool->queue.empty(); });
}

// Growth that is due in the iteration that begins. False when the general path has to decide.
bool grow_due(Machine& machine, Step& step) {
  Steady& steady = step.steady;
  const std::uint64_t present = steady.begun + 1;
  while (!steady.due.empty() && steady.due.front().first <= present) {
    const std::uint32_t which = steady.due.front().second;
    Holding& holding = *step.residents[which]->growing;
    Pool& pool = *holding.pool;
    const double position = after_tokens(holding.position, steady.begun);
    const double units = position + 1.0 - holding.allocated;
    const double need = pool.round_up(holding.allocated + units) - holding.allocated;
    if (!pool.has_room(need) || !(need > 0.0)) {
      return false;
    }
    extend(machine, holding, need);
    if (&pool == step.memory) {
      steady.kv_decode += need;
      steady.cost_known = false;
    }
    std::ranges::pop_heap(steady.due, std::greater<>{});
    steady.due.back().first = std::max(until_growth(holding), present + 1);
    std::ranges::push_heap(steady.due, std::greater<>{});
  }
  return true;
}

}  // namespace

bool may_be_steady(const Step& step) {
  const auto is_number = [](const ir::Expression& expression) {
    return expression.code.size() == 1 && expression.code.front().code == code_of(Code::number);
  };
  const ir::Step& kind = *step.kind;
  return step.keys == nullptr && !step.plan.exclusive && is_number(kind.budget) &&
         is_number(kind.chunk) && !reads_live_state({kind.cost});
}

double after_tokens(double x, std::uint64_t count) {
  const double tokens = static_cast<double>(count);
  const double sum = x + tokens;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) ^ std::bit_cast<std::uint64_t>(sum);
  if (count <= 1 || (bits >> 52) == 0 || floor(x) == x) {
    return sum;  // no step rounds, or there is one
  }
  for (std::uint64_t step = 0; step < count; ++step) {
    x += 1.0;
  }
  return x;
}

void enter_steady(Machine& machine, Stage& stage, Step& step) {
  if (!machine.options.fast_path || !step.may_be_steady || !whole_blocks(step.memory) ||
      !all_decode(machine, stage, step)) {
    return;
  }
  Steady& steady = step.steady;
  double least = std::numeric_limits<double>::infinity();
  for (const Job* job : step.residents) {
    least = std::min(least, job->left);
  }
  const double ends = std::min(floor(least) - 1.0, MOST_TOKENS);
  const double kv_decode = step.scope[ir::Context::kv_decode];
  if (!(ends >= 2.0) || !std::isfinite(kv_decode)) {
    return;
  }
  steady.on = true;
  steady.ended = steady.begun = 0;
  steady.ends_left = static_cast<std::uint64_t>(ends);
  steady.last_token = machine.now;
  steady.batch = static_cast<double>(step.residents.size());
  steady.kv_decode = kv_decode;
  steady.cost_known = false;
  steady.due.clear();
  for (std::uint32_t which = 0; which < step.residents.size(); ++which) {
    if (const Holding* holding = step.residents[which]->growing) {
      steady.due.emplace_back(until_growth(*holding), which);
    }
  }
  std::ranges::make_heap(steady.due, std::greater<>{});
}

void catch_up(Step& step) {
  Steady& steady = step.steady;
  if (!steady.on || (steady.ended == 0 && steady.begun == 0)) {
    return;
  }
  const auto ended = static_cast<double>(steady.ended);
  for (Job* resident : step.residents) {
    Job& job = *resident;
    job.left -= ended;
    if (job.growing != nullptr) {
      job.growing->position = after_tokens(job.growing->position, steady.begun);
    }
    if (steady.ended != 0) {
      Token& token = job.session->token;
      token.time = steady.last_token;
      token.decoded = true;
      token.preempted = false;
    }
  }
  for (Due& each : steady.due) {
    each.first -= steady.begun;
  }
  steady.ended = steady.begun = 0;
}

void leave_steady(Step& step) {
  if (step.steady.on) {
    catch_up(step);
    step.steady.on = false;
  }
}

bool end_steady(Machine& machine, Step& step) {
  Steady& steady = step.steady;
  if (!steady.on) {
    return false;
  }
  if (steady.ends_left == 0) {
    leave_steady(step);
    return false;
  }
  --steady.ends_left;
  ++steady.ended;
  if (machine.warm) {
    step.gaps.add_many(machine.now - steady.last_token, step.residents.size());
  }
  steady.last_token = machine.now;
  return true;
}

double begin_steady(Machine& machine, Step& step) {
  Steady& steady = step.steady;
  if (!steady.on) {
    return -1.0;
  }
  if (somebody_waits(step) || !grow_due(machine, step)) {
    leave_steady(step);
    return -1.0;
  }
  ++steady.begun;
  if (!steady.cost_known) {
    Scope& scope = step.scope;
    scope[ir::Context::residents] = steady.batch;
    scope[ir::Context::decoders] = steady.batch;
    scope[ir::Context::kv_decode] = steady.kv_decode;
    scope[ir::Context::kv_prefill] = 0.0;
    scope[ir::Context::tokens] = steady.batch;
    scope[ir::Context::prefilled] = 0.0;
    scope[ir::Context::attention] = 0.0;
    steady.cost = maximum(evaluate(step.kind->cost, scope), 0.0);
    steady.cost_known = step.cost_stays;
  }
  return steady.cost;
}

void run_ahead(Machine& machine) {
  if (machine.events.empty() || machine.events.first().kind != EventKind::iteration_end ||
      machine.waiting != 0 || !machine.ready.empty() || !machine.unsettled.empty() ||
      !machine.gauges.empty() || machine.flows.touched()) {
    return;
  }
  Stage& stage = machine.stages[machine.events.first().stage];
  Step& step = std::get<Step>(stage.kind);
  Steady& steady = step.steady;
  double end = machine.events.first().time;
  const double horizon = machine.program.horizon;
  if (!steady.on || steady.ends_left == 0 || !(end <= horizon)) {
    return;
  }
  const double next = machine.events.second_time();
  if (!(end < next) || somebody_waits(step)) {
    return;
  }
  Event event = machine.events.pop();
  Watch& watch = machine.watch;
  const std::uint64_t decodes = step.residents.size();
  while (steady.ends_left != 0 && end < next && end <= horizon && end > machine.now &&
         watch.steps + 1 < watch.next_look) {
    machine.end_instant();
    machine.now = end;
    ++watch.steps;
    ++machine.happened;
    end_steady(machine, step);
    const double cost = begin_steady(machine, step);
    if (cost < 0.0) {
      step.running = false;
      step.composition.end();
      machine.change(stage);
      machine.unsettle(stage);
      machine.settle();
      return;
    }
    ++stage.iterations;
    step.composition.begin(decodes, 0, cost, machine.warm);
    end = machine.now + cost;
  }
  machine.events.schedule(end, event);
}

}  // namespace serq
