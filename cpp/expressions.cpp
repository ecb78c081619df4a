// Twin of src/serq/semantics/expressions.py.
#include "expressions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "functions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "rng.hpp"
#include "structures/codes.hpp"

namespace serq {
namespace {

constexpr std::size_t SMALL_DEPTH = 24;
constexpr std::uint64_t LARGEST_INDEX = std::uint64_t{1} << 63;

// What an index means; one beyond the array is an error.
std::uint32_t member(double value, std::uint32_t base, std::uint32_t count, bool pool) {
  const std::uint64_t index = saturate(value, LARGEST_INDEX);
  if (index >= count) {
    throw RunError{pool ? ErrorKind::index_pool : ErrorKind::index_stage, {value}, {base, count},
                   {}};
  }
  return base + static_cast<std::uint32_t>(index);
}

double do_draw(Rng& rng, ir::Distribution law, const double* parameters) {
  switch (law) {
    case ir::Distribution::exp:
      return draw_exp(rng, parameters[0]);
    case ir::Distribution::det:
      return draw_det(rng, parameters[0]);
    case ir::Distribution::uniform:
      return draw_uniform(rng, parameters[0], parameters[1]);
    case ir::Distribution::erlang:
      return draw_erlang(rng, parameters[0], parameters[1]);
    case ir::Distribution::h2:
      return draw_h2(rng, parameters[0], parameters[1]);
    case ir::Distribution::bernoulli:
      return draw_bernoulli(rng, parameters[0]);
  }
  return INVALID;
}

}  // namespace

double do_call(const Scope& scope, ir::Function function, std::size_t number) {
  Machine& machine = *scope.machine;
  switch (function) {
    case ir::Function::used:
      return do_used(scope, machine.pools[number]);
    case ir::Function::free:
      return do_free(scope, machine.pools[number]);
    case ir::Function::cachedin:
      return do_cachedin(scope, machine.pools[number]);
    case ir::Function::holders:
      return do_holders(scope, machine.pools[number]);
    case ir::Function::queued:
      return do_queued(scope, machine.pools[number]);
    case ir::Function::queue:
      return do_queue(scope, machine.stages[number]);
    case ir::Function::busy:
      return do_busy(scope, machine.stages[number]);
    case ir::Function::work:
      return do_work(scope, machine.stages[number]);
    case ir::Function::budget_left:
      return do_budget_left(scope, machine.stages[number]);
    case ir::Function::est_lambda:
      return do_est_lambda(scope, machine.stages[number]);
    case ir::Function::est_rho:
      return do_est_rho(scope, machine.stages[number]);
    case ir::Function::est_wait:
      return do_est_wait(scope, machine.stages[number]);
    default:
      return INVALID;
  }
}

namespace {

double truth(bool test) { return test ? 1.0 : 0.0; }

// Said to the compiler, which need not look whether a code is beyond the last.
[[noreturn]] inline void no_such_code() {
#if defined(__GNUC__)
  __builtin_unreachable();
#else
  std::abort();
#endif
}

// `stack` has the values below the top.
double execute(const ir::Instruction* code, const Scope& scope, double* stack) {
  double top = 0.0;
  const double* const attributes = scope.attributes;
  for (const ir::Instruction* at = code;; ++at) {
    switch (at->code) {
#define SERQ_BINARY(NAME, RESULT)                          \
  case binary_code(Code::NAME, Source::stack): {           \
    const double b = top;                                  \
    const double a = *--stack;                             \
    top = (RESULT);                                        \
    break;                                                 \
  }                                                        \
  case binary_code(Code::NAME, Source::number): {          \
    const double a = top;                                  \
    const double b = at->value;                            \
    top = (RESULT);                                        \
    break;                                                 \
  }                                                        \
  case binary_code(Code::NAME, Source::attribute): {       \
    const double a = top;                                  \
    const double b = attributes[at->a];                    \
    top = (RESULT);                                        \
    break;                                                 \
  }                                                        \
  case binary_code(Code::NAME, Source::context): {         \
    const double a = top;                                  \
    const double b = scope.context[at->a];                 \
    top = (RESULT);                                        \
    break;                                                 \
  }
      SERQ_BINARY(add, a + b)
      SERQ_BINARY(subtract, a - b)
      SERQ_BINARY(multiply, a * b)
      SERQ_BINARY(divide, divide(a, b))
      SERQ_BINARY(power, power(a, b))
      SERQ_BINARY(less, truth(a < b))
      SERQ_BINARY(less_equal, truth(a <= b))
      SERQ_BINARY(greater, truth(a > b))
      SERQ_BINARY(greater_equal, truth(a >= b))
      SERQ_BINARY(equal, truth(a == b))
      SERQ_BINARY(not_equal, truth(a != b))
      SERQ_BINARY(min, minimum(a, b))
      SERQ_BINARY(max, maximum(a, b))
#undef SERQ_BINARY
      case code_of(Code::push_number):
        *stack++ = top;
        [[fallthrough]];
      case code_of(Code::number):
        top = at->value;
        break;
      case code_of(Code::push_attribute):
        *stack++ = top;
        [[fallthrough]];
      case code_of(Code::attribute):
        top = attributes[at->a];
        break;
      case code_of(Code::push_context):
        *stack++ = top;
        [[fallthrough]];
      case code_of(Code::context):
        top = scope.context[at->a];
        break;
      case code_of(Code::push_now):
        *stack++ = top;
        [[fallthrough]];
      case code_of(Code::now):
        top = scope.machine->now;
        break;
      case code_of(Code::add_attribute_times):
        top = top + at->value * attributes[at->a];
        break;
      case code_of(Code::add_context_times):
        top = top + at->value * scope.context[at->a];
        break;
      case code_of(Code::negate):
        top = -top;
        break;
      case code_of(Code::logical_not):
        top = truth(top == 0.0);
        break;
      case code_of(Code::truth):
        top = truth(top != 0.0);
        break;
      case code_of(Code::abs):
        top = std::fabs(top);
        break;
      case code_of(Code::floor):
        top = floor(top);
        break;
      case code_of(Code::ceil):
        top = ceil(top);
        break;
      case code_of(Code::sqrt):
        top = square_root(top);
        break;
      case code_of(Code::exp):
        top = exponential(top);
        break;
      case code_of(Code::ln):
        top = logarithm(top);
        break;
      case code_of(Code::jump):
        at = code + at->a - 1;
        break;
      case code_of(Code::jump_if_zero): {
        const bool zero = top == 0.0;
        if (at->b != 0) {
          top = *--stack;
        }
        if (zero) {
          at = code + at->a - 1;
        }
        break;
      }
      case code_of(Code::jump_if_decided_and):
      case code_of(Code::jump_if_decided_or): {
        const bool is_or = at->code == code_of(Code::jump_if_decided_or);
        if ((top != 0.0) == is_or) {
          top = truth(is_or);
          at = code + at->a - 1;
        } else if (at->b != 0) {
          top = *--stack;
        }
        break;
      }
      case code_of(Code::draw): {
        *stack++ = top;
        stack -= at->a;
        top = do_draw(*scope.rng, static_cast<ir::Distribution>(at->word), stack);
        break;
      }
      case code_of(Code::resolve_pool):
        top = static_cast<double>(member(top, at->a, at->b, true));
        break;
      case code_of(Code::resolve_stage):
        top = static_cast<double>(member(top, at->a, at->b, false));
        break;
      case code_of(Code::state):
        top = do_call(scope, static_cast<ir::Function>(at->word), static_cast<std::size_t>(top));
        break;
      case code_of(Code::push_reference):
        if (at->b != 0) {
          *stack++ = top;
        }
        top = static_cast<double>(at->a);
        break;
      case code_of(Code::push_state):
        if (at->b != 0) {
          *stack++ = top;
        }
        top = do_call(scope, static_cast<ir::Function>(at->word), at->a);
        break;
      case code_of(Code::push_member_state):
        *stack++ = top;
        [[fallthrough]];
      case code_of(Code::member_state): {
        const auto function = static_cast<ir::Function>(at->word);
        const double index = attributes[static_cast<std::size_t>(at->value)];
        top = do_call(scope, function,
                      member(index, at->a, at->b, function >= ir::Function::used));
        break;
      }
      case code_of(Code::price): {
        const double more = top;
        const double hit = *--stack;
        const auto stage = static_cast<std::size_t>(*--stack);
        top = do_price(scope, scope.machine->stages[stage], hit, more);
        break;
      }
      case code_of(Code::stop):
        return top;
      default:
        no_such_code();
    }
  }
}

double evaluate_deep(const ir::Expression& expression, const Scope& scope) {
  std::vector<double> stack(expression.depth);
  return execute(expression.code.data(), scope, stack.data());
}

}  // namespace

double evaluate_code(const ir::Expression& expression, const Scope& scope) {
  if (expression.depth > SMALL_DEPTH) {
    return evaluate_deep(expression, scope);
  }
  double stack[SMALL_DEPTH];  // NOLINT: unset on purpose
  return execute(expression.code.data(), scope, stack);
}

double evaluate_other(const ir::Expression& expression, Machine& machine, Session& session) {
  return evaluate_code(expression, machine.scope_of(session));
}

namespace {

// The number of the pool or stage that a reference means, with what its index is evaluated in.
template <typename Reference, typename... Where>
std::uint32_t number_of(const Reference& reference, Where&... where) {
  constexpr bool pool = std::is_same_v<Reference, ir::PoolReference>;
  return !reference.index
             ? reference.base
             : member(evaluate(*reference.index, where...), reference.base, reference.count, pool);
}

}  // namespace

Pool& pool_of(const ir::PoolReference& reference, const Scope& scope) {
  return scope.machine->pools[number_of(reference, scope)];
}

Pool& member_of(const ir::PoolReference& reference, Machine& machine, Session& session) {
  return machine.pools[number_of(reference, machine, session)];
}

Stage& stage_of(const ir::StageReference& reference, const Scope& scope) {
  return scope.machine->stages[number_of(reference, scope)];
}

Stage& member_of(const ir::StageReference& reference, Machine& machine, Session& session) {
  return machine.stages[number_of(reference, machine, session)];
}

bool same(const ir::Expression& a, const ir::Expression& b) {
  const auto equal = [](const ir::Node& one, const ir::Node& other) {
    return one.kind == other.kind && one.word == other.word && one.arity == other.arity &&
           one.slot == other.slot && one.base == other.base && one.count == other.count &&
           std::bit_cast<std::uint64_t>(one.value) == std::bit_cast<std::uint64_t>(other.value);
  };
  return &a == &b || std::ranges::equal(a.nodes, b.nodes, equal);
}

bool draws(const ir::Expression& expression) {
  return std::ranges::any_of(expression.nodes, [](const ir::Node& node) {
    return node.kind == ir::NodeKind::draw;
  });
}

bool reads_live_state(const std::vector<ir::Expression>& expressions) {
  return std::ranges::any_of(expressions, [](const ir::Expression& expression) {
    return std::ranges::any_of(expression.nodes, [](const ir::Node& node) {
      return node.kind == ir::NodeKind::call &&
             static_cast<ir::Function>(node.word) >= ir::Function::queue;
    });
  });
}

bool reads_context(const ir::Expression& expression, const std::vector<ir::Context>& names) {
  return std::ranges::any_of(expression.nodes, [&](const ir::Node& node) {
    return node.kind == ir::NodeKind::context &&
           std::ranges::find(names, static_cast<ir::Context>(node.word)) != names.end();
  });
}

}  // namespace serq
