#include "structures/context_path.hpp"

#include <algorithm>
#include <cstddef>

#include "expressions.hpp"
#include "ir/arithmetic.hpp"

namespace serq {
namespace {

// Behind the subtree that begins there.
std::size_t end_of_subtree(const std::vector<ir::Node>& nodes, std::size_t at) {
  for (std::size_t open = 1; open != 0; ++at) {
    open += nodes[at].arity;
    --open;
  }
  return at;
}

ir::Expression subtree(const std::vector<ir::Node>& nodes, std::size_t from, std::size_t to) {
  ir::Expression tree;
  tree.nodes.assign(nodes.begin() + static_cast<std::ptrdiff_t>(from),
                    nodes.begin() + static_cast<std::ptrdiff_t>(to));
  compile(tree);
  return tree;
}

template <typename Function>
void replace(std::span<double> values, Function function) {
  for (double& value : values) {
    value = function(value);
  }
}

}  // namespace

bool ContextPath::find_way(const ir::Node& node, bool left, Way& way) {
  if (node.kind == ir::NodeKind::call) {
    const auto function = static_cast<ir::Function>(node.word);
    way = function == ir::Function::min ? (left ? Way::min : Way::min_of)
                                        : (left ? Way::max : Way::max_of);
    return function == ir::Function::min || function == ir::Function::max;
  }
  switch (static_cast<ir::Operator>(node.word)) {
    case ir::Operator::add:
      way = Way::add;
      break;
    case ir::Operator::multiply:
      way = Way::multiply;
      break;
    case ir::Operator::subtract:
      way = left ? Way::subtract : Way::subtract_from;
      break;
    case ir::Operator::divide:
      way = left ? Way::divide : Way::divide_into;
      break;
    default:
      return false;
  }
  return node.kind == ir::NodeKind::binary;
}

std::shared_ptr<const ContextPath> ContextPath::of(const ir::Expression& expression, ir::Context variable) {
  const std::vector<ir::Node>& nodes = expression.nodes;
  const auto reads = [&](const ir::Node& node) {
    return node.kind == ir::NodeKind::context && static_cast<ir::Context>(node.word) == variable;
  };
  if (std::ranges::count_if(nodes, reads) != 1) {
    return nullptr;
  }
  const auto goal = static_cast<std::size_t>(std::ranges::find_if(nodes, reads) - nodes.begin());
  auto path = std::make_shared<ContextPath>();
  for (std::size_t at = 0; at != goal;) {
    const std::size_t second = end_of_subtree(nodes, at + 1);
    const bool left = goal < second;
    Part part;
    if (nodes[at].arity != 2 || !find_way(nodes[at], left, part.way)) {
      return nullptr;
    }
    part.other = left ? subtree(nodes, second, end_of_subtree(nodes, second))
                      : subtree(nodes, at + 1, second);
    path->parts_.push_back(std::move(part));
    at = left ? at + 1 : second;
  }
  std::ranges::reverse(path->parts_);
  return path;
}

void ContextPath::fix(const Scope& scope, Items<double>& others) const {
  others.clear();
  for (const Part& part : parts_) {
    others.push_back(serq::evaluate(part.other, scope));
  }
}

void ContextPath::evaluate(const Items<double>& others, std::span<double> values) const {
  const double* other = others.data();
  for (const Part& part : parts_) {
    const double b = *other++;
    switch (part.way) {
      case Way::add:
        replace(values, [b](double a) { return a + b; });
        break;
      case Way::multiply:
        replace(values, [b](double a) { return a * b; });
        break;
      case Way::subtract:
        replace(values, [b](double a) { return a - b; });
        break;
      case Way::subtract_from:
        replace(values, [b](double a) { return b - a; });
        break;
      case Way::divide:
        replace(values, [b](double a) { return divide(a, b); });
        break;
      case Way::divide_into:
        replace(values, [b](double a) { return divide(b, a); });
        break;
      case Way::min:
        replace(values, [b](double a) { return minimum(a, b); });
        break;
      case Way::min_of:
        replace(values, [b](double a) { return minimum(b, a); });
        break;
      case Way::max:
        replace(values, [b](double a) { return maximum(a, b); });
        break;
      case Way::max_of:
        replace(values, [b](double a) { return maximum(b, a); });
        break;
    }
  }
}

}  // namespace serq
