// The instructions that expressions compile to.
#pragma once

#include <cstdint>

namespace serq {

// Where the right operand of a binary operator is: the top of the stack, the instruction
// itself, the attributes, or the context.
enum class Source : std::uint8_t { stack, number, attribute, context };
inline constexpr unsigned SOURCES = 4;

enum class Code : std::uint8_t {
  // binary operators, each four times: one for each source of its right operand
  add, subtract, multiply, divide, power, less, less_equal, greater, greater_equal, equal,
  not_equal, min, max,
  last_binary = 4 * max + 3,
  // put a value on an empty stack; on one that has values
  number, attribute, context, now,
  push_number, push_attribute, push_context, push_now,
  // add the product of a number and an attribute, or of the context
  add_attribute_times, add_context_times,
  // replace the top
  negate, logical_not, truth, abs, floor, ceil, sqrt, exp, ln,
  // go to instruction `a`: always, or when the top, which is dropped, is 0; `b` says whether
  // there are values below
  jump, jump_if_zero,
  // go to `a` with 0 (1) when the top is 0 (is not 0), else drop it, `b` as above
  jump_if_decided_and, jump_if_decided_or,
  // take the top values and put one
  draw, state, resolve_pool, resolve_stage, price,
  // the number of pool or stage `a`, or its state; put on a stack that has values when `b` is set
  push_reference, push_state,
  // the state of the member that attribute `value` is the index of, from `a` on, `b` in all
  member_state, push_member_state,
  // the last instruction of all code
  stop,
};

constexpr std::uint8_t code_of(Code code) { return static_cast<std::uint8_t>(code); }

constexpr std::uint8_t binary_code(Code code, Source source) {
  return static_cast<std::uint8_t>(SOURCES * static_cast<unsigned>(code) +
                                   static_cast<unsigned>(source));
}

}  // namespace serq
