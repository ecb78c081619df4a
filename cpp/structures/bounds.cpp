#include "structures/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "cache.hpp"
#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "numbers.hpp"

namespace serq {
namespace {

using ir::Function;
using ir::Node;
using ir::NodeKind;
using ir::Operator;

constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();
constexpr Bounds ANYTHING{};
constexpr Bounds UNSAFE{-UNBOUNDED, UNBOUNDED, false, false};
constexpr Bounds COUNT{0.0, UNBOUNDED, true, true};
constexpr Bounds TEST{0.0, 1.0, true, true};

Bounds exactly(double value) {
  return std::isnan(value) ? ANYTHING : Bounds{value, value, true, true};
}

bool known(const Bounds& a) { return a.number && a.least == a.most; }
bool is_true(const Bounds& a) { return a.least > 0.0 || a.most < 0.0; }
bool is_false(const Bounds& a) { return a.number && a.least == 0.0 && a.most == 0.0; }

Bounds safe_if(bool safe, Bounds bounds) {
  bounds.safe = bounds.safe && safe;
  return bounds;
}

// Results of operations are in the order of the operands, as they are rounded alike; a bound that
// is no number is none.
Bounds between(double least, double most, bool number) {
  return {std::isnan(least) ? -UNBOUNDED : least, std::isnan(most) ? UNBOUNDED : most, number,
          true};
}

Bounds negative(const Bounds& a) { return {-a.most, -a.least, a.number, a.safe}; }

Bounds sum(const Bounds& a, const Bounds& b) {
  const bool opposite = (a.most == UNBOUNDED && b.least == -UNBOUNDED) ||
                        (a.least == -UNBOUNDED && b.most == UNBOUNDED);
  return between(a.least + b.least, a.most + b.most, a.number && b.number && !opposite);
}

// Of what is known, or is not negative.
Bounds product(const Bounds& a, const Bounds& b) {
  if (known(a) && known(b)) {
    return exactly(a.least * b.least);
  }
  if (!(a.least >= 0.0 && b.least >= 0.0)) {
    return ANYTHING;
  }
  const bool zero_times_infinity = (a.least == 0.0 && b.most == UNBOUNDED) ||
                                   (b.least == 0.0 && a.most == UNBOUNDED);
  return between(a.least * b.least, a.most * b.most,
                 a.number && b.number && !zero_times_infinity);
}

Bounds quotient(const Bounds& a, const Bounds& b) {
  if (known(a) && known(b) && b.least != 0.0) {
    return exactly(divide(a.least, b.least));
  }
  if (!known(b) || !(b.least > 0.0) || b.least == UNBOUNDED) {
    return ANYTHING;
  }
  return between(a.least / b.least, a.most / b.least, a.number);
}

// One of two that is no number gives the other.
Bounds lesser(const Bounds& a, const Bounds& b) {
  const bool both = a.number && b.number;
  const double most = both ? std::min(a.most, b.most)
                           : std::max(a.number ? a.most : b.most, b.number ? b.most : a.most);
  return between(std::min(a.least, b.least), most, a.number || b.number);
}

Bounds greater(const Bounds& a, const Bounds& b) {
  return negative(lesser(negative(a), negative(b)));
}

Bounds test(bool surely, bool surely_not, const Bounds& a, const Bounds& b) {
  return !a.number || !b.number || surely == surely_not ? TEST : exactly(surely ? 1.0 : 0.0);
}

Bounds less(const Bounds& a, const Bounds& b) {
  return test(a.most < b.least, a.least >= b.most, a, b);
}

Bounds less_equal(const Bounds& a, const Bounds& b) {
  return test(a.most <= b.least, a.least > b.most, a, b);
}

Bounds equal(const Bounds& a, const Bounds& b) {
  return test(known(a) && known(b) && a.least == b.least,
              a.most < b.least || b.most < a.least, a, b);
}

Bounds opposite(const Bounds& a) {
  return is_true(a) ? exactly(0.0) : is_false(a) ? exactly(1.0) : TEST;
}

Bounds truth(const Bounds& a) { return opposite(opposite(a)); }

// The right operand is evaluated only when the left one does not decide.
Bounds conjunction(const Bounds& a, const Bounds& b) {
  if (is_false(a)) {
    return exactly(0.0);
  }
  const Bounds right = safe_if(b.safe, truth(b));
  return is_true(a) || is_false(b) ? right : safe_if(b.safe, TEST);
}

Bounds disjunction(const Bounds& a, const Bounds& b) {
  if (is_true(a)) {
    return exactly(1.0);
  }
  const Bounds right = safe_if(b.safe, truth(b));
  return is_false(a) || is_true(b) ? right : safe_if(b.safe, TEST);
}

Bounds either(const Bounds& test, const Bounds& then, const Bounds& otherwise) {
  if (is_true(test)) {
    return safe_if(test.safe, then);
  }
  if (is_false(test)) {
    return safe_if(test.safe, otherwise);
  }
  return {std::min(then.least, otherwise.least), std::max(then.most, otherwise.most),
          then.number && otherwise.number, test.safe && then.safe && otherwise.safe};
}

Bounds of_pair(Operator word, const Bounds& a, const Bounds& b) {
  switch (word) {
    case Operator::add:
      return sum(a, b);
    case Operator::subtract:
      return sum(a, negative(b));
    case Operator::multiply:
      return product(a, b);
    case Operator::divide:
      return quotient(a, b);
    case Operator::power:
      return known(a) && known(b) && a.least != 0.0 ? exactly(power(a.least, b.least)) : ANYTHING;
    case Operator::less:
      return less(a, b);
    case Operator::less_equal:
      return less_equal(a, b);
    case Operator::greater:
      return less(b, a);
    case Operator::greater_equal:
      return less_equal(b, a);
    case Operator::equal:
      return equal(a, b);
    case Operator::not_equal:
      return opposite(equal(a, b));
    default:
      return ANYTHING;
  }
}

// A function of numbers.
Bounds of_numbers(Function function, const Bounds& a, const Bounds& b) {
  switch (function) {
    case Function::min:
      return lesser(a, b);
    case Function::max:
      return greater(a, b);
    case Function::floor:
      return between(floor(a.least), floor(a.most), a.number);
    case Function::ceil:
      return between(ceil(a.least), ceil(a.most), a.number);
    case Function::pow:
      return of_pair(Operator::power, a, b);
    default:
      break;
  }
  if (!known(a)) {
    return ANYTHING;
  }
  switch (function) {
    case Function::abs:
      return exactly(std::fabs(a.least));
    case Function::sqrt:
      return exactly(square_root(a.least));
    case Function::exp:
      return exactly(exponential(a.least));
    case Function::ln:
      return exactly(logarithm(a.least));
    default:
      return ANYTHING;
  }
}

class Evaluator {
 public:
  Evaluator(const Machine& machine, const Session& session)
      : machine_(machine), session_(session) {}

  // The operands of a node come behind it: from the end, they are there when it is met.
  Bounds run(const std::vector<Node>& nodes) {
    for (std::size_t at = nodes.size(); at-- > 0;) {
      const Bounds result = of(nodes[at]);
      values_.resize(values_.size() - nodes[at].arity);
      values_.push_back(result);
    }
    return values_.back();
  }

 private:
  const Bounds& operand(std::size_t which) const { return values_[values_.size() - 1 - which]; }

  Bounds of(const Node& node) const {
    switch (node.kind) {
      case NodeKind::number:
        return exactly(node.value);
      case NodeKind::attribute:
        return exactly(session_.attributes[node.slot]);
      case NodeKind::context:
        return ANYTHING;
      case NodeKind::draw:
        return UNSAFE;
      case NodeKind::call:
        return of_call(node);
      case NodeKind::unary: {
        const bool negates = static_cast<Operator>(node.word) == Operator::negate;
        return safe_if(operand(0).safe, negates ? negative(operand(0)) : opposite(operand(0)));
      }
      case NodeKind::binary:
        return of_binary(static_cast<Operator>(node.word));
      case NodeKind::conditional:
        return either(operand(0), operand(1), operand(2));
      case NodeKind::pool_reference:
      case NodeKind::stage_reference:
        return of_reference(node);
    }
    return UNSAFE;
  }

  Bounds of_binary(Operator word) const {
    const Bounds& a = operand(0);
    const Bounds& b = operand(1);
    if (word == Operator::logical_and) {
      return safe_if(a.safe, conjunction(a, b));
    }
    if (word == Operator::logical_or) {
      return safe_if(a.safe, disjunction(a, b));
    }
    return safe_if(a.safe && b.safe, of_pair(word, a, b));
  }

  // The number of the pool or stage; an index that is not known, or beyond, may be an error.
  Bounds of_reference(const Node& node) const {
    if (node.arity == 0) {
      return exactly(static_cast<double>(node.base));
    }
    const Bounds& index = operand(0);
    if (!index.safe || !known(index)) {
      return UNSAFE;
    }
    const std::uint64_t member = saturate(index.least, node.count);
    return member < node.count ? exactly(static_cast<double>(node.base + member)) : UNSAFE;
  }

  Bounds of_call(const Node& node) const {
    const auto function = static_cast<Function>(node.word);
    bool safe = true;
    for (std::uint32_t which = 0; which < node.arity; ++which) {
      safe = safe && operand(which).safe;
    }
    if (function < Function::queue) {
      return safe_if(safe, of_numbers(function, operand(0), operand(node.arity - 1)));
    }
    return safe ? of_state(function, static_cast<std::size_t>(operand(0).least)) : UNSAFE;
  }

  Bounds of_state(Function function, std::size_t number) const {
    switch (function) {
      case Function::queue:
      case Function::busy:
      case Function::holders:
      case Function::queued:
        return COUNT;
      case Function::cachedin:
        return of_prefix(machine_.pools[number]);
      case Function::budget_left: {
        const Step& step = std::get<Step>(machine_.stages[number].kind);
        const bool harmless = !draws(*step.budget) && !draws(*step.chunk) &&
                              !reads_live_state({*step.budget, *step.chunk});
        return harmless ? COUNT : UNSAFE;
      }
      default:
        return ANYTHING;
    }
  }

  // Evictions shorten the session's own prefix. Only the end of a lease, or what is spilled,
  // could leave it a longer one.
  Bounds of_prefix(const Pool& pool) const {
    if (pool.is_tier || !session_.leases.empty()) {
      return COUNT;
    }
    const Entry* entry = find_entry(machine_, session_, pool.index);
    return {0.0, entry != nullptr ? entry->size : 0.0, true, true};
  }

  const Machine& machine_;
  const Session& session_;
  std::vector<Bounds> values_;
};

}  // namespace

Bounds bounds_of(const ir::Expression& expression, const Machine& machine,
                 const Session& session) {
  if (expression.form == ir::Form::number) {
    return exactly(expression.value);
  }
  if (expression.form == ir::Form::attribute) {
    return exactly(session.attributes[expression.slot]);
  }
  return Evaluator(machine, session).run(expression.nodes);
}

}  // namespace serq
