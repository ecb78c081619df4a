#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "cache.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "stages/step.hpp"
#include "steady/decode_means.hpp"
#include "steady/steady.hpp"
#include "structures/lanes.hpp"

namespace serq {
namespace {

constexpr std::uint64_t MOST_AFTER = std::numeric_limits<std::uint32_t>::max();

// The last of the iterations that may begin before somebody leaves, or grows out of turn.
std::uint64_t last_alone(const Steady& steady) {
  std::uint64_t last = steady.begun + (steady.next_end - steady.ended) - 1;
  if (!steady.growths.empty()) {
    last = std::min(last, steady.growths.front().iteration - 1);
  }
  return last;
}

// What the counted hold after growths, the first of which finds them with so much.
class Held {
 public:
  Held(const Steady& steady, double before) : block_(steady.pool->block), held_(before) {}

  double after(const Foreseen& growth) { return held_ += block_ * real(growth.blocks); }

 private:
  double block_;
  double held_;
};

// The costs of iterations in which only what the counted hold differs, many at once: `evaluate` is
// given what they hold, and says what each of them costs.
template <typename Evaluate>
void weigh_many(Held held, std::span<Foreseen> growths, const Evaluate& evaluate) {
  std::array<double, LaneEvaluator::WIDTH> each;  // NOLINT: unset on purpose
  while (!growths.empty()) {
    const auto some = growths.first(std::min(growths.size(), each.size()));
    for (std::size_t at = 0; at < some.size(); ++at) {
      each[at] = held.after(some[at]);
    }
    const double* const costs = evaluate(std::span(each).first(some.size()));
    for (std::size_t at = 0; at < some.size(); ++at) {
      some[at].cost = maximum(costs[at], 0.0);
    }
    growths = growths.subspan(some.size());
  }
}

// What does not vary along the path of the cost is worked out when others are counted.
void fix_cost_parts(Step& step, Scope& scope) {
  Steady& steady = step.steady;
  if (steady.cost_parts_for != steady.counted) {
    describe_counted(step, scope);
    step.cost_path->fix(scope, steady.cost_parts);
    steady.cost_parts_for = steady.counted;
  }
}

// What the iterations cost that begin with the growths from that one on, which finds the counted
// with so much.
void foresee_costs(Machine& machine, Step& step, std::size_t from, double before) {
  constexpr std::size_t FEW = 16;  // are evaluated as fast one by one
  const Steady& steady = step.steady;
  const std::span<Foreseen> growths = std::span(step.steady.foreseen).subspan(from);
  if (growths.empty()) {
    return;
  }
  if (steady.pool != step.memory || step.memory == nullptr) {
    for (Foreseen& growth : growths) {
      growth.cost = steady.cost;
    }
    return;
  }
  const ir::Expression& cost = *step.cost;
  Scope& scope = machine.step_scope;
  Held held(steady, before);
  if (step.cost_path != nullptr) {
    fix_cost_parts(step, scope);
    return weigh_many(held, growths, [&](std::span<double> values) {
      step.cost_path->evaluate(steady.cost_parts, values);
      return values.data();
    });
  }
  describe_counted(step, scope);
  if (growths.size() >= FEW && cost.depth <= LaneEvaluator::DEPTH) {
    LaneEvaluator lanes(scope, ir::Context::kv_decode);
    return weigh_many(held, growths, [&](std::span<const double> values) {
      return lanes.evaluate(cost, values.data(), values.size());
    });
  }
  for (Foreseen& growth : growths) {
    scope[ir::Context::kv_decode] = held.after(growth);
    growth.cost = cost_of(step, scope);
  }
}

void grow_foreseen(Machine& machine, Pool& pool, double units) {
  if (pool.over(units)) {
    make_room(machine, pool, units);
    machine.changed_pools.clear();
    pool.changed = false;
    pool.cached_average.record(pool.cached, machine.now);
  }
  pool.used += units;
  pool.used_average.record(pool.used, machine.now);
}

// Tells how long tokens took: the same value in a row at once.
class Gaps {
 public:
  Gaps(LogHistogram& to, std::uint64_t tokens) : to_(to), tokens_(tokens) {}

  void add(double gap) {
    if (gap != gap_) {
      tell();
      gap_ = gap;
    }
    count_ += tokens_;
  }

  void tell() {
    if (count_ != 0) {
      to_.add_many(gap_, count_);
      count_ = 0;
    }
  }

 private:
  LogHistogram& to_;
  std::uint64_t tokens_;
  std::uint64_t count_ = 0;
  double gap_ = 0.0;
};

// Iterations that are alike end, and the next one costs the same. Returns how many did.
std::uint64_t repeat(DecodeMeans& means, Gaps& gaps, double cost, std::uint64_t most,
                     Clock& clock) {
  Clock at = clock;
  std::uint64_t done = 0;
  while (done != most && at.may_end()) {
    gaps.add(at.end - at.now);
    at = {at.end, at.end + cost, at.before};
    if (++done == most || !at.may_end()) {
      means.add(cost);
      break;
    }
    gaps.add(at.end - at.now);
    at = {at.end, at.end + cost, at.before};
    ++done;
    means.add_two(cost);
  }
  clock = at;
  return done;
}

// The same while nothing is measured yet.
std::uint64_t repeat_cold(double cost, std::uint64_t most, Clock& clock) {
  std::uint64_t done = 0;
  for (; done != most && clock.may_end(); ++done) {
    clock.now = clock.end;
    clock.end += cost;
  }
  return done;
}

}  // namespace

void begin_foresight(Machine& machine, Step& step) {
  cost_of_counted(machine, step);
  step.steady.foreseen_to = step.steady.begun;
}

void end_foresight(Steady& steady) {
  steady.next_phase = std::min(steady.next_phase, steady.next_growth());
  steady.foreseen.clear();
  steady.met = 0;
  steady.pending = 0.0;
}

void foresee(Machine& machine, Step& step, std::uint64_t most) {
  Steady& steady = step.steady;
  if (steady.met == steady.foreseen.size()) {
    steady.foreseen.clear();
    steady.met = 0;
    steady.foreseen_from = steady.begun;
  }
  const std::size_t from = steady.foreseen.size();
  const double before = steady.kv_decode + steady.pending;
  std::uint64_t last = std::min(last_alone(steady), steady.foreseen_to + most);
  last = std::min(last, steady.foreseen_from + MOST_AFTER);
  std::uint64_t phase = steady.next_phase <= last ? steady.next_phase % steady.phases.period() : 0;
  while (steady.next_phase <= last) {
    const std::uint64_t blocks = steady.phases[phase];
    const double units = steady.pool->block * static_cast<double>(blocks);
    if (!may_grow(steady, steady.pending + units) || blocks > machine.options.limit_events) {
      last = steady.next_phase - 1;
      break;
    }
    if (blocks != 0) {
      steady.pending += units;
      const std::uint64_t after = steady.next_phase - steady.foreseen_from;
      steady.foreseen.push_back(
          {static_cast<std::uint32_t>(after), static_cast<std::uint32_t>(blocks), 0.0});
    }
    const std::uint64_t distance = steady.phases.distance(phase);
    steady.next_phase += distance;
    phase += distance;
    phase -= phase < steady.phases.period() ? 0 : steady.phases.period();
  }
  steady.foreseen_to = last;
  foresee_costs(machine, step, from, before);
}

// That iteration and later ones are not foreseen after all.
void forget_from(Steady& steady, std::uint64_t iteration) {
  while (steady.met != steady.foreseen.size()) {
    const Foreseen& last = steady.foreseen.back();
    if (steady.foreseen_from + last.after < iteration) {
      break;
    }
    steady.next_phase = steady.foreseen_from + last.after;
    steady.pending -= steady.pool->block * real(last.blocks);
    steady.foreseen.pop_back();
  }
  steady.foreseen_to = iteration - 1;
}

double end_of_foreseen(Steady& steady, double end) {
  double cost = steady.cost;
  std::uint64_t first = steady.begun + 1;  // of those that cost the same
  for (std::size_t at = steady.met;; ++at) {
    const bool last = at == steady.foreseen.size();
    const std::uint64_t until = last ? steady.foreseen_to + 1
                                     : steady.foreseen_from + steady.foreseen[at].after;
    double before = end;
    double after = end;
    for (std::uint64_t each = first; each != until; ++each) {
      before = after;
      after += cost;
    }
    if (first != until && !(before < after)) {
      forget_from(steady, first);
      return end;
    }
    end = after;
    if (last) {
      return end;
    }
    cost = steady.foreseen[at].cost;
    first = until;
  }
}

std::uint64_t advance(Machine& machine, Stage& stage, Step& step, Clock& clock,
                      std::uint64_t most) {
  Steady& steady = step.steady;
  Clock at = clock;
  Gaps gaps(step.gaps, steady.counted);
  DecodeMeans means(step.composition, steady.counted);
  double cost = steady.cost;
  std::uint64_t present = steady.begun;
  std::uint64_t growth = steady.next_growth();
  const std::uint64_t last = present + std::min(steady.foreseen_to - present, most);
  while (present != last && at.may_end()) {
    if (present + 1 != growth) {
      const std::uint64_t alike = std::min(growth - 1, last) - present;
      present += machine.warm ? repeat(means, gaps, cost, alike, at) : repeat_cold(cost, alike, at);
      continue;
    }
    if (machine.warm) {
      gaps.add(at.end - at.now);
    }
    at.now = at.end;
    const Foreseen& grows = steady.foreseen[steady.met++];
    const double units = steady.pool->block * real(grows.blocks);
    machine.now = at.now;
    grow_foreseen(machine, *steady.pool, units);
    steady.pending -= units;
    steady.kv_decode += steady.pool == step.memory ? units : 0.0;
    cost = grows.cost;
    growth = steady.next_growth();
    if (machine.warm) {
      means.add(cost);
    }
    at.end += cost;
    ++present;
  }
  gaps.tell();
  means.tell();
  const std::uint64_t done = present - steady.begun;
  clock = at;
  machine.now = steady.last_token = at.now;
  stage.iterations += done;
  steady.cost = cost;
  steady.begun = steady.grown = present;
  steady.ended += done;
  machine.watch.steps += done;
  machine.happened += done;
  return done;
}

}  // namespace serq
