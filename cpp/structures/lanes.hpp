// An expression evaluated for many values of one attribute, or of one variable of the context, at
// once, a lane for each: every
// instruction is done for all lanes before the next one is looked at. A value that is the same in
// all lanes is worked out once. Where a test divides the lanes, the two parts go on one after the
// other, so no lane does anything that its value does not ask for. The bits of each lane are
// those of `evaluate`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/nodes.hpp"
#include "scope.hpp"

namespace serq {

class LaneEvaluator {
 public:
  static constexpr std::size_t WIDTH = 64;
  static constexpr std::size_t DEPTH = 16;  // of the deepest stack

  LaneEvaluator(const Scope& scope, std::uint32_t slot) : scope_(scope), slot_(slot) {}
  LaneEvaluator(const Scope& scope, ir::Context varying)
      : scope_(scope), context_(static_cast<std::uint32_t>(varying)) {}

  // The values for `count` whole numbers from `first` on, to be used before the next ones are
  // asked for. Throws RunError when some lane has an error; which one it is does not say.
  const double* evaluate(const ir::Expression& expression, std::uint64_t first,
                         std::size_t count);

  // The values for those of the variable, which is no index of any member.
  const double* evaluate(const ir::Expression& expression, const double* values,
                         std::size_t count);

 private:
  static constexpr std::uint32_t NONE = 0xffff'ffff;

  const double* execute(const ir::Expression& expression);

  // Neighbouring lanes that are at one instruction. Bit `row` of `same` is set when all have one
  // value there, which only the first of them holds.
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t at = 0;
    std::size_t height = 0;
    std::uint32_t same = 0;
  };

  // Pools or stages whose states are asked for: neighbours from the first on, or those whose
  // numbers are on the stack.
  struct Members {
    bool neighbours = false;
    std::size_t first = 0;
  };

  void do_instruction(const ir::Instruction& at);
  void do_leaf(const ir::Instruction& at);
  void do_binary(const ir::Instruction& at);
  void do_unary(std::uint8_t code);
  void do_jump(std::size_t goal, bool when_zero, bool keep);
  void do_reading(const ir::Instruction& at);
  void do_member_state(const ir::Instruction& at);
  void do_price();

  void push(double value);
  void push_attribute(std::uint32_t slot);
  void push_context(std::uint32_t name);
  void push_varying();
  void vary(std::size_t number);
  void resolve(std::uint32_t base, std::uint32_t members);
  void read_states(ir::Function function, const Members& members);
  void read_cached(const Members& members);
  bool select(std::size_t goal);
  void divide_lanes(std::size_t number, bool when_zero, std::size_t going);

  // The top becomes the outcome of an operation on it and `b`: a number, or one for each lane.
  template <typename Operation>
  void apply(double b, Operation operation);
  template <typename Operation>
  void apply(const double* b, Operation operation);
  template <typename Operation>
  void apply_pair(const ir::Instruction& at, Operation operation);
  template <typename Read>
  void read_each(const Members& members, Read read);
  template <typename Item>
  void permute(Item* items, const std::size_t* from) const;

  double* row(std::size_t number) { return rows_[number] + part_.begin; }
  const double* candidates() const { return candidates_ + part_.begin; }
  bool same(std::size_t number) const { return (part_.same >> number & 1U) != 0; }
  std::size_t width() const { return part_.end - part_.begin; }
  std::size_t lanes(std::size_t number) const { return same(number) ? 1 : width(); }

  const Scope& scope_;
  std::uint32_t slot_ = NONE;
  std::uint32_t context_ = NONE;
  const ir::Instruction* code_ = nullptr;
  std::uint64_t first_ = 0;
  std::size_t count_ = 0;
  bool divided_ = false;  // the lanes are not in the order of the candidates
  Part part_;
  std::size_t waiting_ = 0;
  // NOLINTBEGIN: unset on purpose
  Part parts_[WIDTH];
  double candidates_[WIDTH];
  std::size_t places_[WIDTH];  // where its lane was before they were divided
  double results_[WIDTH];
  double rows_[DEPTH][WIDTH];
  // NOLINTEND
};

}  // namespace serq
