// Expressions: a tree of Python objects as the list of its nodes, without recursion.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "binding/read_ir.hpp"
#include "expressions.hpp"

namespace nb = nanobind;

namespace serq::binding {
namespace {

// Beside the expressions, which are read at many places: what the program is to know of them all.
thread_local bool wants_estimates = false;

using Words = std::vector<std::string_view>;

// In the order of the enumerators.
const Words CONTEXTS{"now",       "waited",     "size",   "age",       "last",      "waiting",
                     "present",   "residents",  "decoders", "kv_decode", "kv_prefill", "tokens",
                     "prefilled", "attention",  "decoding", "admission", "remaining"};
const Words DISTRIBUTIONS{"exp", "det", "uniform", "erlang", "h2", "bernoulli"};
const Words FUNCTIONS{"min",   "max",         "abs",        "floor",   "ceil",     "sqrt",
                      "exp",   "ln",          "pow",        "queue",   "busy",     "work",
                      "budget_left", "est_lambda", "est_rho", "est_wait", "price",    "used",
                      "free",  "cachedin",    "holders",    "queued"};
const Words BINARY{"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};

std::uint8_t word_of(const nb::handle& node, const char* name, const Words& words) {
  const auto word = nb::cast<std::string>(node.attr(name));
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    throw nb::value_error(("the native engine does not know `" + word + "`").c_str());
  }
  return static_cast<std::uint8_t>(found - words.begin());
}

void read_reference(const nb::handle& reference, ir::Node& node, std::vector<nb::object>& below) {
  node.base = read_index(reference, "base");
  node.count = read_index(reference, "count");
  nb::object index = reference.attr("index");
  if (!index.is_none()) {
    node.arity = 1;
    below.push_back(std::move(index));
  }
}

void read_arguments(const nb::handle& call, ir::Node& node, std::vector<nb::object>& below) {
  for (const nb::handle argument : call.attr("arguments")) {
    ++node.arity;
    below.push_back(nb::borrow(argument));
  }
}

ir::Node read_node(const nb::handle& object, std::vector<nb::object>& below) {
  const std::string kind = kind_of(object);
  const auto part = [&](const char* name) { below.emplace_back(object.attr(name)); };
  ir::Node node;
  if (kind == "Number") {
    node.kind = ir::NodeKind::number;
    node.value = nb::cast<double>(object.attr("value"));
  } else if (kind == "Attribute") {
    node.kind = ir::NodeKind::attribute;
    node.slot = read_index(object, "slot");
  } else if (kind == "Context") {
    node.kind = ir::NodeKind::context;
    node.word = word_of(object, "name", CONTEXTS);
  } else if (kind == "Draw") {
    node.kind = ir::NodeKind::draw;
    node.word = word_of(object, "distribution", DISTRIBUTIONS);
    read_arguments(object, node, below);
  } else if (kind == "Call") {
    node.kind = ir::NodeKind::call;
    node.word = word_of(object, "function", FUNCTIONS);
    const auto function = static_cast<ir::Function>(node.word);
    wants_estimates |= ir::Function::est_lambda <= function && function <= ir::Function::price;
    read_arguments(object, node, below);
  } else if (kind == "Unary") {
    node.kind = ir::NodeKind::unary;
    const bool negates = nb::cast<std::string>(object.attr("operator")) == "-";
    node.word = static_cast<std::uint8_t>(negates ? ir::Operator::negate
                                                  : ir::Operator::logical_not);
    part("operand");
  } else if (kind == "Binary") {
    node.kind = ir::NodeKind::binary;
    node.word = word_of(object, "operator", BINARY);
    part("left");
    part("right");
  } else if (kind == "Conditional") {
    node.kind = ir::NodeKind::conditional;
    part("test");
    part("then");
    part("otherwise");
  } else if (kind == "PoolReference" || kind == "StageReference") {
    node.kind = kind == "PoolReference" ? ir::NodeKind::pool_reference
                                        : ir::NodeKind::stage_reference;
    read_reference(object, node, below);
  } else {
    throw nb::type_error(("not an expression: " + kind).c_str());
  }
  if (node.kind == ir::NodeKind::unary || node.kind == ir::NodeKind::binary ||
      node.kind == ir::NodeKind::conditional) {
    node.arity = static_cast<std::uint32_t>(below.size());
  }
  return node;
}

}  // namespace

bool estimates_wanted() { return std::exchange(wants_estimates, false); }

ir::Expression read_expression(const nb::handle& expression) {
  ir::Expression read;
  std::vector<nb::object> pending{nb::borrow(expression)};
  std::vector<nb::object> below;
  while (!pending.empty()) {
    const nb::object object = std::move(pending.back());
    pending.pop_back();
    below.clear();
    read.nodes.push_back(read_node(object, below));
    std::move(below.rbegin(), below.rend(), std::back_inserter(pending));
  }
  compile(read);
  return read;
}

}  // namespace serq::binding
