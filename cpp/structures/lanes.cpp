#include "structures/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "structures/codes.hpp"

namespace serq {
namespace {

double truth_of(bool test) { return test ? 1.0 : 0.0; }

bool is_leaf(const ir::Instruction& at) {
  return at.code >= code_of(Code::number) && at.code <= code_of(Code::push_now);
}

}  // namespace

const double* LaneEvaluator::evaluate(const ir::Expression& expression, std::uint64_t first,
                              std::size_t count) {
  const auto first_value = static_cast<double>(static_cast<std::int64_t>(first));
  for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(count); ++lane) {
    candidates_[lane] = first_value + static_cast<double>(lane);
  }
  first_ = first;
  count_ = count;
  return execute(expression);
}

const double* LaneEvaluator::evaluate(const ir::Expression& expression, const double* values,
                                      std::size_t count) {
  std::copy_n(values, count, candidates_);
  count_ = count;
  return execute(expression);
}

const double* LaneEvaluator::execute(const ir::Expression& expression) {
  code_ = expression.code.data();
  divided_ = false;
  waiting_ = 1;
  parts_[0] = {0, count_, 0, 0, 0};
  while (waiting_ != 0) {
    part_ = parts_[--waiting_];
    while (code_[part_.at].code != code_of(Code::stop)) {
      do_instruction(code_[part_.at++]);
    }
    vary(0);
  }
  if (!divided_) {
    return rows_[0];
  }
  for (std::size_t lane = 0; lane < count_; ++lane) {
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
  if (is_leaf(at)) {
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
      if (at.a == context_) {
        return apply(candidates(), [&](double a, double b) { return a + at.value * b; });
      }
      return apply(at.value * scope_.context[at.a], std::plus<>{});
    default:
      return do_reading(at);
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
  push_varying();
  std::copy_n(candidates(), width(), row(part_.height - 1));
}

void LaneEvaluator::push_context(std::uint32_t name) {
  if (name != context_) {
    return push(scope_.context[name]);
  }
  push_varying();
  std::copy_n(candidates(), width(), row(part_.height - 1));
}

void LaneEvaluator::push_varying() {
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
      return push_context(at.a);
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
      if (at.a == context_) {
        return apply(candidates(), operation);
      }
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

// Lanes whose test is zero, or those whose test is not, go to `goal`; with the outcome of the
// test when they keep it.
void LaneEvaluator::do_jump(std::size_t goal, bool when_zero, bool keep) {
  const std::size_t number = --part_.height;
  const double* const test = row(number);
  const std::size_t count = lanes(number);
  std::size_t zeros = 0;
  for (std::size_t lane = 0; lane < count; ++lane) {
    zeros += test[lane] == 0.0 ? 1 : 0;
  }
  const std::size_t going = when_zero ? zeros : count - zeros;
  if (going == 0) {
    return;
  }
  if (going != count) {
    if (!keep && select(goal)) {
      return;
    }
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

// Where both branches of a conditional are a leaf, every lane takes its own of the two.
bool LaneEvaluator::select(std::size_t goal) {
  const std::size_t test = part_.height;
  const ir::Instruction* const then = code_ + part_.at;
  const bool leaves = goal == part_.at + 2 && then[1].code == code_of(Code::jump) &&
                      then[1].a == goal + 1 && is_leaf(then[0]) && is_leaf(then[2]);
  if (!leaves || test + 2 >= DEPTH) {
    return false;
  }
  ++part_.height;
  do_leaf(then[0]);
  do_leaf(then[2]);
  vary(test + 1);
  vary(test + 2);
  double* const chosen = row(test);
  const double* const first = row(test + 1);
  const double* const second = row(test + 2);
  const std::size_t count = width();
  for (std::size_t lane = 0; lane < count; ++lane) {
    chosen[lane] = chosen[lane] == 0.0 ? second[lane] : first[lane];
  }
  part_.height = test + 1;
  part_.at = goal + 1;
  return true;
}

// Those that go become a part that waits, behind those that stay.
void LaneEvaluator::divide_lanes(std::size_t number, bool when_zero, std::size_t going) {
  if (!divided_) {
    divided_ = true;
    for (std::size_t lane = 0; lane < count_; ++lane) {
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

}  // namespace serq
