#include <algorithm>
#include <bit>

#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "preemption.hpp"
#include "stages/step.hpp"
#include "steady/steady.hpp"

namespace serq {
namespace {

// Whole numbers below it, and their sums, are exact.
constexpr double MOST_TOKENS = 4503599627370496.0;
constexpr double MOST_ADDED = 1099511627776.0;  // tokens of a job: no sum of theirs overflows
constexpr double LARGEST_BLOCK = 4096.0;

void push(Items<Due>& heap, const Due& due) {
  heap.push_back(due);
  std::ranges::push_heap(heap, Later{});
}

bool whole(double x) { return floor(x) == x; }

bool is_number(const ir::Expression& expression) {
  return expression.form == ir::Form::number;
}

// The number of iterations, from 1, in the last of which the holding has to grow.
std::uint64_t until_growth(double position, double allocated) {
  const double room = floor(allocated - position) - 1.0;
  auto count = static_cast<std::uint64_t>(room > 1.0 ? room : 1.0);
  while (!(after_tokens(position, count - 1) + 1.0 - allocated > SLACK)) {
    ++count;
  }
  return count;
}

// The position of a counted job's holding is what it is now.
void bring_up(const Steady& steady, Job& job) {
  const std::uint64_t begun = steady.begun - job.begun_before;
  if (begun != 0) {
    job.growing->position = after_tokens(job.growing->position, begun);
    job.growing->hold->grown = true;
    job.begun_before = steady.begun;
  }
}

// What a holding grows by for a token more.
double growth_of(const Holding& holding) {
  const double units = holding.position + 1.0 - holding.allocated;
  if (!(units > SLACK)) {
    return 0.0;
  }
  return holding.pool->round_up(holding.allocated + units) - holding.allocated;
}

// How many additions of 1 to a position, one by one, are exact.
std::uint64_t exact_additions(double position) {
  if (whole(position)) {
    return FOREVER;
  }
  const std::uint64_t binade = std::bit_cast<std::uint64_t>(position) >> 52;
  const auto next = std::bit_cast<double>((binade + 1) << 52);
  return position < 1.0 ? 0 : static_cast<std::uint64_t>(next - position);
}

// When the job's growth is due. As long as its positions are exact it is due every `block`
// iterations, and the job is counted by phase.
void await_growth(Step& step, Job& job) {
  Steady& steady = step.steady;
  const Holding& holding = *job.growing;
  const double block = steady.pool->block;
  const std::uint64_t exact = exact_additions(holding.position);
  job.growth_due = steady.begun + until_growth(holding.position, holding.allocated);
  job.by_phase = exact > 2 && block <= LARGEST_BLOCK && holding.position <= holding.allocated &&
                 steady.pool->round_down(holding.allocated) == holding.allocated;
  if (!job.by_phase) {
    return push(steady.growths, {job.growth_due, job.stamp, &job});
  }
  const auto period = static_cast<std::uint64_t>(block);
  if (job.growth_due > steady.begun + period) {  // asked again when it is less
    job.by_phase = false;
    return push(steady.growths, {job.growth_due - period + 1, job.stamp, &job});
  }
  if (exact != FOREVER) {
    push(steady.growths, {steady.begun + exact, job.stamp, &job});
  }
  steady.phases.set_period(period);
  steady.phases.add(job.growth_due % period);
  steady.next_phase = std::min(steady.next_phase, job.growth_due);
}

void leave_phase(Steady& steady, Job& job) {
  if (!job.by_phase) {
    return;
  }
  job.by_phase = false;
  const std::uint64_t block = steady.phases.period();
  steady.phases.remove(job.growth_due % block);
  if (steady.grown >= job.growth_due) {
    const std::uint64_t times = (steady.grown - job.growth_due) / block + 1;
    job.growing->allocated += static_cast<double>(times * block);
  }
}

// Takes those whose own number is due; what they grow by in the iteration that begins.
double growth_by_one(Machine& machine, Steady& steady, std::uint64_t present) {
  double need = 0.0;
  Items<Due>& growths = steady.growths;
  while (!growths.empty() && growths.front().iteration <= present) {
    std::ranges::pop_heap(growths, Later{});
    const Due due = growths.back();
    growths.pop_back();
    if (due.stamp == due.job->stamp) {
      bring_up(steady, *due.job);
      leave_phase(steady, *due.job);
      need += growth_of(*due.job->growing);
      machine.growing.push_back(due.job);
    }
  }
  return need;
}

// Whether the holding's growth leaves the same whatever else grows before it.
bool grows_alike(Steady& steady, const Holding& holding) {
  Pool* pool = holding.pool;
  if (steady.pool == nullptr && pool->whole_blocks) {
    steady.pool = pool;
  }
  return steady.pool == pool && holding.allocated < MOST_TOKENS &&
         holding.position < MOST_TOKENS && holding.allocated >= 0.0;
}

// Whether it decodes whole tokens, and had its latest one here and now.
bool ready(const Machine& machine, const Stage& stage, const Step& step, const Job& job) {
  const Session* session = job.session;
  return job.decoding && job.left >= 1.0 && session != nullptr &&
         session->status != Status::growing && session->token.stage == &stage &&
         session->token.time == machine.now &&
         session->token.turn == session->attributes[machine.program.slots.turn_no] &&
         static_cast<double>(step.steady.counted) + 1.0 <= step.steady.budget;
}

// After which iteration a job that begins to be counted has less than a token left.
std::uint64_t last_iteration(const Job& job) {
  return job.ended_before + static_cast<std::uint64_t>(std::min(floor(job.left), MOST_TOKENS));
}

bool in_parts(const Job& job) { return !whole(job.left) || job.left > MOST_ADDED; }

bool count(Machine& machine, const Stage& stage, Step& step, Job& job) {
  Steady& steady = step.steady;
  if (!ready(machine, stage, step, job)) {
    return false;
  }
  if (steady.counted == 0) {
    steady.pool = nullptr;
    steady.kv_decode = 0.0;
    steady.next_phase = steady.next_end = FOREVER;
    steady.last_token = machine.now;
    steady.grown = steady.begun;
  }
  const double held = step.memory != nullptr ? job.session->allocated(*step.memory) : 0.0;
  if (!(steady.kv_decode + held < MOST_TOKENS) ||
      (job.growing != nullptr && !grows_alike(steady, *job.growing))) {
    return false;
  }
  steady.kv_decode += held;
  steady.cost_known = false;
  ++steady.counted;
  job.stamp = ++machine.stamps;
  job.begun_before = steady.begun;
  job.ended_before = steady.ended;
  const std::uint64_t end = last_iteration(job);
  steady.last_ends += end;
  steady.in_parts += in_parts(job) ? 1 : 0;
  push(steady.ends, {end, job.stamp, &job});
  steady.next_end = std::min(steady.next_end, end);
  if (job.growing != nullptr) {
    await_growth(step, job);
  }
  return true;
}

// The job as it is; it keeps its place in `others`, and heaps find its stamp void.
void write_back(Step& step, Job& job) {
  Steady& steady = step.steady;
  const std::uint64_t ended = steady.ended - job.ended_before;
  steady.last_ends -= last_iteration(job);
  steady.in_parts -= in_parts(job) ? 1 : 0;
  job.left -= static_cast<double>(ended);
  job.stamp = 0;
  if (job.growing != nullptr) {
    bring_up(steady, job);
    leave_phase(steady, job);
  }
  if (ended != 0) {
    Token& token = job.session->token;
    token.time = steady.last_token;
    token.decoded = true;
    token.preempted = false;
  }
}

}  // namespace

void allow_counting(Machine& machine, Step& step) {
  const Pool* memory = step.memory;
  Steady& steady = step.steady;
  steady.allowed = machine.options.fast_path && step.keys == nullptr && !step.plan.exclusive &&
                   is_number(*step.budget) && is_number(*step.chunk) &&
                   !reads_live_state({*step.cost}) &&
                   (memory == nullptr || (memory->has_block && whole(memory->block)));
  if (steady.allowed) {
    steady.budget = step.budget->value;
    steady.chunk = step.chunk->value;
    steady.allowed = steady.budget >= 1.0 && steady.budget < MOST_TOKENS &&
                     steady.chunk < MOST_TOKENS;
    machine.counting = machine.counting || steady.allowed;
  }
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

bool precedes(const Job& job, const Job& other) {
  return job.admission < other.admission ||
         (job.admission == other.admission && job.number < other.number);
}

double tokens_left(const Step& step, const Job& job) {
  return job.stamp == 0
             ? job.left
             : job.left - static_cast<double>(step.steady.ended - job.ended_before);
}

std::optional<double> whole_tokens_left(const Step& step) {
  const Steady& steady = step.steady;
  auto total = static_cast<double>(steady.last_ends - steady.counted * steady.ended);
  bool in_any_order = steady.in_parts == 0;
  for (const Job* job : steady.others) {
    in_any_order &= whole(job->left);
    total += job->left;
  }
  return in_any_order && total < MOST_TOKENS ? std::optional(total) : std::nullopt;
}

std::size_t batch_size(const Step& step) {
  return step.running ? step.plan.batch.size() + step.steady.counted : 0;
}

void count_ready(Machine& machine, const Stage& stage, Step& step) {
  std::erase_if(step.steady.others,
                [&](Job* job) { return count(machine, stage, step, *job); });
}

void uncount(Step& step, Job& job) {
  Steady& steady = step.steady;
  write_back(step, job);
  if (--steady.counted == 0) {
    steady.ends.clear();
    steady.growths.clear();
  } else if (step.memory != nullptr) {
    steady.kv_decode -= job.session->allocated(*step.memory);
  }
  steady.cost_known = false;
  const auto at = std::ranges::upper_bound(
      steady.others, job, [](const Job& a, const Job& b) { return precedes(a, b); },
      [](Job* each) -> const Job& { return *each; });
  steady.others.insert(at, &job);
}

void uncount_all(Step& step) {
  Steady& steady = step.steady;
  if (steady.counted == 0) {
    return;
  }
  for (Job* job : step.residents) {
    if (job->stamp != 0) {
      write_back(step, *job);
    }
  }
  steady.others = step.residents;
  steady.counted = 0;
  steady.ends.clear();
  steady.growths.clear();
}

bool may_grow(const Steady& steady, double units) {
  const Pool& pool = *steady.pool;
  return pool.has_room(units) && pool.used + pool.cached + units < MOST_TOKENS;
}

bool grow_counted(Machine& machine, Step& step, double units) {
  Steady& steady = step.steady;
  const std::uint64_t present = steady.begun + 1;
  const bool due = !steady.growths.empty() && steady.growths.front().iteration <= present;
  if (present < steady.next_phase && !due && units == 0.0) {
    steady.grown = present;
    return true;
  }
  Pool& pool = *steady.pool;
  machine.touch(pool);
  const bool by_phase = present >= steady.next_phase;
  machine.growing.clear();
  double need = due ? growth_by_one(machine, steady, present) : 0.0;
  const std::uint64_t phase = by_phase ? present % steady.phases.period() : 0;
  const std::uint64_t blocks = by_phase ? steady.phases[phase] : 0;
  need += pool.block * static_cast<double>(blocks);
  if (!may_grow(steady, need + units) ||
      blocks + machine.growing.size() > machine.options.limit_events) {
    return false;
  }
  for (Job* job : machine.growing) {
    job->growing->allocated += growth_of(*job->growing);
    await_growth(step, *job);
  }
  if (need > 0.0) {
    make_room(machine, pool, need);
    pool.allocate(machine, need);
    if (&pool == step.memory) {
      steady.kv_decode += need;
      steady.cost_known = false;
    }
  }
  if (by_phase) {
    steady.next_phase = present + steady.phases.distance(phase);
  }
  steady.grown = present;
  return true;
}

void add_resident(Step& step, Job& job) {
  const auto place = [&](Items<Job*>& jobs) {
    auto at = jobs.end();
    while (at != jobs.begin() && precedes(job, **(at - 1))) {
      --at;
    }
    jobs.insert(at, &job);
  };
  place(step.residents);
  place(step.steady.others);
}

void remove_resident(Step& step, Job& job) {
  Steady& steady = step.steady;
  if (steady.planning) {
    spell_out(step);
  }
  if (job.stamp != 0) {
    for (Job* other : step.plan.batch) {
      other->before -= other->before == steady.counted || precedes(job, *other) ? 1 : 0;
    }
    uncount(step, job);
  }
}

}  // namespace serq
