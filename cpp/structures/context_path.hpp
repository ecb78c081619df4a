// An expression as a function of one context variable that it reads once: the operators on the
// way from there to the root of its tree. Of each the other operand does not vary, and is worked
// out once for many values of the variable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/nodes.hpp"
#include "scope.hpp"
#include "structures/arena.hpp"

namespace serq {

class ContextPath {
 public:
  // None when it does not read the variable exactly once, or when something else than sums,
  // products, quotients, `min` and `max` is on the way.
  static std::shared_ptr<const ContextPath> of(const ir::Expression& expression, ir::Context variable);

  // The other operands, as the scope has them.
  void fix(const Scope& scope, Items<double>& others) const;

  // What the expression is for each of the values, in their place.
  void evaluate(const Items<double>& others, std::span<double> values) const;

 private:
  // The variable is the left operand, or the right one of what comes second.
  enum class Way : std::uint8_t {
    add, multiply, subtract, subtract_from, divide, divide_into, min, min_of, max, max_of,
  };

  struct Part {
    Way way = Way::add;
    ir::Expression other;
  };

  static bool find_way(const ir::Node& node, bool left, Way& way);

  std::vector<Part> parts_;  // from the variable to the root
};

}  // namespace serq
