// Expressions to flat programs: `compile` of `expressions.hpp`, which Python does not need.
#include <cstddef>

#include "expressions.hpp"
#include "structures/codes.hpp"

namespace serq {
namespace {

using ir::Node;
using ir::NodeKind;

// What is left to do, the next step last: visit the tree at `node`, emit the instruction of
// `node` itself, or finish a branch whose jump stands at `node`.
enum class Step : std::uint8_t { visit, emit, decide, after_test, after_then, after_else, drop };

struct Task {
  Step step = Step::visit;
  std::size_t node = 0;
};

class Compiler {
 public:
  explicit Compiler(ir::Expression& expression)
      : nodes_(expression.nodes), code_(expression.code), sizes_(expression.nodes.size(), 1) {
    std::vector<std::size_t> subtrees;  // sizes of the subtrees behind, the nearest last
    for (std::size_t at = nodes_.size(); at-- > 0;) {
      for (std::uint32_t child = 0; child < nodes_[at].arity; ++child) {
        sizes_[at] += subtrees.back();
        subtrees.pop_back();
      }
      subtrees.push_back(sizes_[at]);
    }
  }

  std::size_t run() {
    code_.clear();
    tasks_.push_back({Step::visit, 0});
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      do_task(task);
    }
    emit(Code::stop);
    return deepest_ + 1;
  }

 private:
  void do_task(const Task& task) {
    switch (task.step) {
      case Step::visit:
        return visit(task.node);
      case Step::emit:
        return emit_node(task.node);
      case Step::decide: {
        const bool conjunction = word(task.node) == ir::Operator::logical_and;
        return open(conjunction ? Code::jump_if_decided_and : Code::jump_if_decided_or);
      }
      case Step::after_test:
        return open(Code::jump_if_zero);
      case Step::after_then: {
        const std::size_t test = opened_.back();
        opened_.back() = code_.size();
        emit(Code::jump);
        --height_;
        code_[test].a = static_cast<std::uint32_t>(code_.size());
        return;
      }
      case Step::after_else:
        return close();
      case Step::drop:
        emit(Code::truth);
        return close();
    }
  }

  // A jump that drops the top; `b` says whether another value then becomes the top.
  void open(Code code) {
    --height_;
    opened_.push_back(code_.size());
    emit(code).b = height_ != 0 ? 1 : 0;
  }

  void close() {
    code_[opened_.back()].a = static_cast<std::uint32_t>(code_.size());
    opened_.pop_back();
  }

  ir::Operator word(std::size_t node) const {
    return static_cast<ir::Operator>(nodes_[node].word);
  }

  bool leaf(std::size_t node) const {
    const Node& leaf = nodes_[node];
    const bool now = leaf.kind == NodeKind::context &&
                     static_cast<ir::Context>(leaf.word) == ir::Context::now;
    return !now && (leaf.kind == NodeKind::number || leaf.kind == NodeKind::attribute ||
                    leaf.kind == NodeKind::context);
  }

  std::size_t child(std::size_t node, std::uint32_t which) const {
    std::size_t at = node + 1;
    for (std::uint32_t passed = 0; passed < which; ++passed) {
      at += sizes_[at];
    }
    return at;
  }

  bool is_pair(const Node& node) const {
    if (node.kind == NodeKind::binary) {
      return true;
    }
    const auto function = static_cast<ir::Function>(node.word);
    return node.kind == NodeKind::call &&
           (function == ir::Function::min || function == ir::Function::max ||
            function == ir::Function::pow);
  }

  // Children are visited from left to right; what is done first is pushed last.
  void visit(std::size_t at) {
    const Node& node = nodes_[at];
    if (node.arity == 0 && node.kind != NodeKind::draw) {
      return emit_leaf(node);
    }
    if (node.kind == NodeKind::conditional) {
      tasks_.push_back({Step::after_else, at});
      tasks_.push_back({Step::visit, child(at, 2)});
      tasks_.push_back({Step::after_then, at});
      tasks_.push_back({Step::visit, child(at, 1)});
      tasks_.push_back({Step::after_test, at});
      tasks_.push_back({Step::visit, child(at, 0)});
      return;
    }
    if (node.kind == NodeKind::binary && (word(at) == ir::Operator::logical_and ||
                                          word(at) == ir::Operator::logical_or)) {
      tasks_.push_back({Step::drop, at});
      tasks_.push_back({Step::visit, child(at, 1)});
      tasks_.push_back({Step::decide, at});
      tasks_.push_back({Step::visit, child(at, 0)});
      return;
    }
    tasks_.push_back({Step::emit, at});
    if (is_pair(node) && leaf(child(at, 1))) {
      tasks_.push_back({Step::visit, child(at, 0)});
      return;
    }
    for (std::uint32_t which = node.arity; which-- > 0;) {
      tasks_.push_back({Step::visit, child(at, which)});
    }
  }

  ir::Instruction& emit(Code code) { return emit(code_of(code)); }

  ir::Instruction& emit(std::uint8_t code) {
    code_.emplace_back();
    code_.back().code = code;
    return code_.back();
  }

  void rise() {
    ++height_;
    deepest_ = height_ > deepest_ ? height_ : deepest_;
  }

  Code on_stack(Code empty, Code filled) const { return height_ == 0 ? empty : filled; }

  void emit_leaf(const Node& node) {
    switch (node.kind) {
      case NodeKind::number:
        emit(on_stack(Code::number, Code::push_number)).value = node.value;
        break;
      case NodeKind::attribute:
        emit(on_stack(Code::attribute, Code::push_attribute)).a = node.slot;
        break;
      case NodeKind::context:
        if (static_cast<ir::Context>(node.word) == ir::Context::now) {
          emit(on_stack(Code::now, Code::push_now));
        } else {
          emit(on_stack(Code::context, Code::push_context)).a = node.word;
        }
        break;
      default: {  // a reference without an index
        ir::Instruction& reference = emit(Code::push_reference);
        reference.a = node.base;
        reference.b = height_ != 0 ? 1 : 0;
        break;
      }
    }
    rise();
  }

  void emit_node(std::size_t at) {
    const Node& node = nodes_[at];
    switch (node.kind) {
      case NodeKind::unary:
        emit(word(at) == ir::Operator::negate ? Code::negate : Code::logical_not);
        return;
      case NodeKind::draw: {
        ir::Instruction& draw = emit(Code::draw);
        draw.word = node.word;
        draw.a = node.arity;
        height_ -= node.arity;
        return rise();
      }
      case NodeKind::pool_reference:
      case NodeKind::stage_reference: {
        const bool pool = node.kind == NodeKind::pool_reference;
        ir::Instruction& member = emit(pool ? Code::resolve_pool : Code::resolve_stage);
        member.a = node.base;
        member.b = node.count;
        return;
      }
      case NodeKind::call:
        if (!is_pair(node)) {
          return emit_call(at);
        }
        break;
      default:
        break;
    }
    emit_pair(at);
  }

  void emit_pair(std::size_t at) {
    const Node& node = nodes_[at];
    const Code code = pair_code(node);
    const std::size_t right = child(at, 1);
    if (!leaf(right)) {
      --height_;
      if (code != Code::add || !fuse_product(right)) {
        emit(binary_code(code, Source::stack));
      }
      return;
    }
    const Node& operand = nodes_[right];
    if (operand.kind == NodeKind::number) {
      emit(binary_code(code, Source::number)).value = operand.value;
    } else if (operand.kind == NodeKind::attribute) {
      emit(binary_code(code, Source::attribute)).a = operand.slot;
    } else {
      emit(binary_code(code, Source::context)).a = operand.word;
    }
  }

  // `a + number * leaf`: the last two instructions, which are the product, become one.
  bool fuse_product(std::size_t product) {
    const bool times = nodes_[product].kind == NodeKind::binary &&
                       word(product) == ir::Operator::multiply &&
                       nodes_[child(product, 0)].kind == NodeKind::number &&
                       leaf(child(product, 1));
    if (!times || nodes_[child(product, 1)].kind == NodeKind::number) {
      return false;
    }
    const std::uint32_t place = code_.back().a;
    const bool attribute = nodes_[child(product, 1)].kind == NodeKind::attribute;
    code_.pop_back();
    code_.back().code =
        code_of(attribute ? Code::add_attribute_times : Code::add_context_times);
    code_.back().a = place;
    return true;
  }

  // The attribute that is the index, and the member it means, become part of the call.
  void fuse_member(std::uint8_t function) {
    const ir::Instruction member = code_.back();
    code_.pop_back();
    ir::Instruction& state = code_.back();
    const bool push = state.code == code_of(Code::push_attribute);
    state.code = code_of(push ? Code::push_member_state : Code::member_state);
    state.word = function;
    state.value = static_cast<double>(state.a);
    state.a = member.a;
    state.b = member.b;
  }

  static Code pair_code(const Node& node) {
    if (node.kind == NodeKind::call) {
      const auto function = static_cast<ir::Function>(node.word);
      if (function == ir::Function::pow) {
        return Code::power;
      }
      return function == ir::Function::min ? Code::min : Code::max;
    }
    return static_cast<Code>(node.word);  // operators and codes are in one order
  }

  void emit_call(std::size_t at) {
    const Node& node = nodes_[at];
    const auto function = static_cast<ir::Function>(node.word);
    if (function < ir::Function::queue) {
      emit(static_cast<Code>(code_of(Code::abs) + node.word -
                             static_cast<unsigned>(ir::Function::abs)));
      return;
    }
    if (function == ir::Function::price) {
      emit(Code::price);
      height_ -= 2;
      return;
    }
    const Node& reference = nodes_[child(at, 0)];
    if (reference.arity == 1 && nodes_[child(child(at, 0), 0)].kind == NodeKind::attribute) {
      return fuse_member(node.word);
    }
    ir::Instruction& last = code_.back();  // the reference, resolved or not
    if (last.code == code_of(Code::push_reference)) {
      last.code = code_of(Code::push_state);
      last.word = node.word;
      return;
    }
    emit(Code::state).word = node.word;
  }

  const std::vector<Node>& nodes_;
  std::vector<ir::Instruction>& code_;
  std::vector<std::size_t> sizes_;
  std::vector<Task> tasks_;
  std::vector<std::size_t> opened_;  // jumps whose goal is not known yet, the innermost last
  std::size_t height_ = 0;
  std::size_t deepest_ = 0;
};

ir::Form form_of(const ir::Expression& expression) {
  const std::vector<ir::Instruction>& code = expression.code;
  const auto is = [&](std::size_t at, std::uint8_t wanted) { return code[at].code == wanted; };
  const std::size_t length = code.size() - 1;  // without the stop
  if (length == 1) {
    return is(0, code_of(Code::number))      ? ir::Form::number
           : is(0, code_of(Code::attribute)) ? ir::Form::attribute
           : is(0, code_of(Code::now))       ? ir::Form::now
                                             : ir::Form::code;
  }
  if (length == 2 && is(0, code_of(Code::now)) &&
      is(1, binary_code(Code::subtract, Source::attribute))) {
    return ir::Form::since;
  }
  const bool exponential = length == 2 && is(0, code_of(Code::number)) &&
                           is(1, code_of(Code::draw)) &&
                           static_cast<ir::Distribution>(code[1].word) == ir::Distribution::exp;
  return exponential ? ir::Form::exponential : ir::Form::code;
}

}  // namespace

void compile(ir::Expression& expression) {
  expression.depth = Compiler(expression).run();
  expression.form = form_of(expression);
  expression.slot = expression.code[expression.code.size() - 2].a;
  expression.value = expression.code.front().value;
}

}  // namespace serq
