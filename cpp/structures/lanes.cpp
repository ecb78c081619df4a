#include "structures/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "expressions.hpp"
#include "functions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "structures/codes.hpp"

namespace serq {
namespace {

using ir::Function;

bool is_count(Function function) {
  return function == Function::holders || function == Function::queued;
}

double truth_of(bool test) { return test ? 1.0 : 0.0; }

}  // namespace

const double* LaneEvaluator::evaluate(const ir::Expression& expression, std::uint64_t first,
                              std::size_t count) {
  const auto first_value = static_cast<double>(static_cast<std::int64_t>(first));
  for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(count); ++lane) {
    candidates_[lane] = first_value + static_cast<double>(lane);
  }
  first_ = first;
  divided_ = false;
  waiting_ = 1;
  parts_[0] = {0, count, 0, 0, 0};
  while (waiting_ != 0) {
    part_ = parts_[--waiting_];
    while (part_.at != expression.code.size()) {
      do_instruction(expression.code[part_.at++]);
    }
    vary(0);
  }
  if (!divided_) {
    return rows_[0];
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    results_[places_[lane]] = rows_[0][lane];
  }
  return results_;
}

void LaneEvaluator::do_instruction(const ir::Instruction& at) {
  if (at.code <= code_of(Code::last_binary)) {
    return do_binary(at);
  }
  if (at.code >= code_of(Code::negate) && at.code <= code_of(Code::ln)) {
    return do_unary(at.code);
  }
  if (at.code >= code_of(Code::number) && at.code <= code_of(Code::push_now)) {
    return do_leaf(at);
  }
  switch (at.code) {
    case code_of(Code::jump):
      part_.at = at.a;
      return;
    case code_of(Code::jump_if_zero):
      return do_jump(at.a, true, false);
    case code_of(Code::jump_if_decided_and):
      return do_jump(at.a, true, true);
    case code_of(Code::jump_if_decided_or):
      return do_jump(at.a, false, true);
    case code_of(Code::add_attribute_times):
      if (at.a == slot_) {
        return apply(candidates(), [&](double a, double b) { return a + at.value * b; });
      }
      return apply(at.value * scope_.attributes[at.a], std::plus<>{});
    case code_of(Code::add_context_times):
      return apply(at.value * scope_.context[at.a], std::plus<>{});
    default:
      return do_reading(at);
  }
}

// What asks pools and stages.
void LaneEvaluator::do_reading(const ir::Instruction& at) {
  const auto function = static_cast<Function>(at.word);
  switch (at.code) {
    case code_of(Code::resolve_pool):
    case code_of(Code::resolve_stage):
      return resolve(at.a, at.b);
    case code_of(Code::state):
      return read_states(function);
    case code_of(Code::push_reference):
      return push(static_cast<double>(at.a));
    case code_of(Code::push_state):
      return push(do_call(scope_, function, at.a));
    case code_of(Code::price):
      return do_price();
    default:
      push_attribute(static_cast<std::uint32_t>(at.value));
      if (!divided_ && !same(part_.height - 1) && is_count(function)) {
        return read_neighbours(function, at.a, at.b);
      }
      resolve(at.a, at.b);
      return read_states(function);
  }
}

// --- values ----------------------------------------------------------------------------

void LaneEvaluator::push(double value) {
  part_.same |= 1U << part_.height;
  *row(part_.height) = value;
  ++part_.height;
}

void LaneEvaluator::push_attribute(std::uint32_t slot) {
  if (slot != slot_) {
    return push(scope_.attributes[slot]);
  }
  std::copy_n(candidates(), width(), row(part_.height));
  part_.same &= ~(1U << part_.height);
  ++part_.height;
}

// Gives every lane its own copy.
void LaneEvaluator::vary(std::size_t number) {
  if (same(number)) {
    std::fill_n(row(number) + 1, width() - 1, *row(number));
    part_.same &= ~(1U << number);
  }
}

void LaneEvaluator::do_leaf(const ir::Instruction& at) {
  switch (at.code) {
    case code_of(Code::number):
    case code_of(Code::push_number):
      return push(at.value);
    case code_of(Code::attribute):
    case code_of(Code::push_attribute):
      return push_attribute(at.a);
    case code_of(Code::context):
    case code_of(Code::push_context):
      return push(scope_.context[at.a]);
    default:
      return push(scope_.machine->now);
  }
}

// --- arithmetic ------------------------------------------------------------------------

template <typename Operation>
void LaneEvaluator::apply(double b, Operation operation) {
  double* const a = row(part_.height - 1);
  const std::size_t count = lanes(part_.height - 1);
  for (std::size_t lane = 0; lane < count; ++lane) {
    a[lane] = operation(a[lane], b);
  }
}

template <typename Operation>
void LaneEvaluator::apply(const double* b, Operation operation) {
  vary(part_.height - 1);
  double* const a = row(part_.height - 1);
  const std::size_t count = width();
  for (std::size_t lane = 0; lane < count; ++lane) {
    a[lane] = operation(a[lane], b[lane]);
  }
}

template <typename Operation>
void LaneEvaluator::apply_pair(const ir::Instruction& at, Operation operation) {
  switch (static_cast<Source>(at.code % SOURCES)) {
    case Source::stack:
      --part_.height;
      if (same(part_.height)) {
        return apply(*row(part_.height), operation);
      }
      return apply(row(part_.height), operation);
    case Source::number:
      return apply(at.value, operation);
    case Source::attribute:
      if (at.a == slot_) {
        return apply(candidates(), operation);
      }
      return apply(scope_.attributes[at.a], operation);
    case Source::context:
      return apply(scope_.context[at.a], operation);
  }
}

void LaneEvaluator::do_binary(const ir::Instruction& at) {
  switch (static_cast<Code>(at.code / SOURCES)) {
    case Code::add:
      return apply_pair(at, [](double a, double b) { return a + b; });
    case Code::subtract:
      return apply_pair(at, [](double a, double b) { return a - b; });
    case Code::multiply:
      return apply_pair(at, [](double a, double b) { return a * b; });
    case Code::divide:
      return apply_pair(at, [](double a, double b) { return divide(a, b); });
    case Code::power:
      return apply_pair(at, [](double a, double b) { return power(a, b); });
    case Code::less:
      return apply_pair(at, [](double a, double b) { return truth_of(a < b); });
    case Code::less_equal:
      return apply_pair(at, [](double a, double b) { return truth_of(a <= b); });
    case Code::greater:
      return apply_pair(at, [](double a, double b) { return truth_of(a > b); });
    case Code::greater_equal:
      return apply_pair(at, [](double a, double b) { return truth_of(a >= b); });
    case Code::equal:
      return apply_pair(at, [](double a, double b) { return truth_of(a == b); });
    case Code::not_equal:
      return apply_pair(at, [](double a, double b) { return truth_of(a != b); });
    case Code::min:
      return apply_pair(at, [](double a, double b) { return minimum(a, b); });
    default:
      return apply_pair(at, [](double a, double b) { return maximum(a, b); });
  }
}

void LaneEvaluator::do_unary(std::uint8_t code) {
  const auto replace = [this](auto operation) {
    apply(0.0, [&](double a, double) { return operation(a); });
  };
  switch (code) {
    case code_of(Code::negate):
      return replace([](double a) { return -a; });
    case code_of(Code::logical_not):
      return replace([](double a) { return truth_of(a == 0.0); });
    case code_of(Code::truth):
      return replace([](double a) { return truth_of(a != 0.0); });
    case code_of(Code::abs):
      return replace([](double a) { return std::fabs(a); });
    case code_of(Code::floor):
      return replace([](double a) { return floor(a); });
    case code_of(Code::ceil):
      return replace([](double a) { return ceil(a); });
    case code_of(Code::sqrt):
      return replace([](double a) { return square_root(a); });
    case code_of(Code::exp):
      return replace([](double a) { return exponential(a); });
    default:
      return replace([](double a) { return logarithm(a); });
  }
}

// --- tests -----------------------------------------------------------------------------

// LaneEvaluator whose test is zero, or those whose test is not, go to `goal`; with the outcome of the
// test when they keep it.
void LaneEvaluator::do_jump(std::size_t goal, bool when_zero, bool keep) {
  const std::size_t number = --part_.height;
  const double* const test = row(number);
  const std::size_t count = lanes(number);
  std::size_t going = 0;
  for (std::size_t lane = 0; lane < count; ++lane) {
    going += (test[lane] == 0.0) == when_zero ? 1 : 0;
  }
  if (going == 0) {
    return;
  }
  if (going != count) {
    divide_lanes(number, when_zero, going);
  }
  Part& part = going == count ? part_ : parts_[waiting_ - 1];
  part.at = goal;
  if (keep) {
    part.same |= 1U << number;
    rows_[number][part.begin] = truth_of(!when_zero);
    ++part.height;
  }
}

// Those that go become a part that waits, behind those that stay.
void LaneEvaluator::divide_lanes(std::size_t number, bool when_zero, std::size_t going) {
  if (!divided_) {
    divided_ = true;
    for (std::size_t lane = 0; lane < WIDTH; ++lane) {
      places_[lane] = lane;
    }
  }
  std::size_t from[WIDTH];  // NOLINT: unset on purpose
  std::size_t staying = 0;
  std::size_t behind = width() - going;
  const double* const test = row(number);
  for (std::size_t lane = 0; lane < width(); ++lane) {
    const bool goes = (test[lane] == 0.0) == when_zero;
    from[goes ? behind++ : staying++] = lane;
  }
  for (std::size_t below = 0; below < number; ++below) {
    if (same(below)) {
      row(below)[staying] = *row(below);
    } else {
      permute(row(below), from);
    }
  }
  permute(candidates_ + part_.begin, from);
  permute(places_ + part_.begin, from);
  Part& others = parts_[waiting_++] = part_;
  part_.end = part_.begin + staying;
  others.begin = part_.end;
}

template <typename Item>
void LaneEvaluator::permute(Item* items, const std::size_t* from) const {
  Item before[WIDTH];  // NOLINT: unset on purpose
  std::copy_n(items, width(), before);
  for (std::size_t lane = 0; lane < width(); ++lane) {
    items[lane] = before[from[lane]];
  }
}

// --- pools and stages ------------------------------------------------------------------

// The top becomes the number of the member that it is the index of.
void LaneEvaluator::resolve(std::uint32_t base, std::uint32_t members) {
  double* const index = row(part_.height - 1);
  const std::size_t count = lanes(part_.height - 1);
  bool beyond = false;
  for (std::size_t lane = 0; lane < count; ++lane) {
    beyond |= index[lane] >= static_cast<double>(members);
  }
  if (beyond) {
    throw RunError{};
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto at = index[lane] > 0.0 ? static_cast<std::uint32_t>(index[lane]) : 0U;
    index[lane] = static_cast<double>(base + at);
  }
}

// The top is the number of a pool or stage and becomes its state.
void LaneEvaluator::read_states(Function function) {
  double* const number = row(part_.height - 1);
  const std::size_t count = lanes(part_.height - 1);
  for (std::size_t lane = 0; lane < count; ++lane) {
    number[lane] = do_call(scope_, function, static_cast<std::uint32_t>(number[lane]));
  }
}

// The same for members that stand one beside the other, whose counts do too.
void LaneEvaluator::read_neighbours(Function function, std::uint32_t base, std::uint32_t members) {
  if (first_ + width() > members) {
    throw RunError{};
  }
  double* const state = row(part_.height - 1);
  const PoolCounts* const counts = scope_.machine->pool_counts.data() + base + first_;
  const std::size_t count = width();
  if (function == Function::holders) {
    for (std::size_t lane = 0; lane < count; ++lane) {
      state[lane] = static_cast<double>(counts[lane].holders);
    }
  } else {
    for (std::size_t lane = 0; lane < count; ++lane) {
      state[lane] = static_cast<double>(counts[lane].queued);
    }
  }
}

void LaneEvaluator::do_price() {
  const std::size_t number = part_.height - 3;
  part_.height -= 2;
  if (!(same(number) && same(number + 1) && same(number + 2))) {
    vary(number);
    vary(number + 1);
    vary(number + 2);
  }
  double* const stages = row(number);
  const double* const hits = row(number + 1);
  const double* const more = row(number + 2);
  for (std::size_t lane = 0; lane < lanes(number); ++lane) {
    const Stage& stage = scope_.machine->stages[static_cast<std::uint32_t>(stages[lane])];
    stages[lane] = serq::do_price(scope_, stage, hits[lane], more[lane]);
  }
}

}  // namespace serq
