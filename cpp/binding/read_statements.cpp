// Statements of the IR.
#include <nanobind/stl/string.h>

#include "binding/read_ir.hpp"

namespace nb = nanobind;

namespace serq::binding {
namespace {

ir::Expression expression(const nb::handle& owner, const char* name) {
  return read_expression(owner.attr(name));
}

std::optional<ir::Expression> maybe_expression(const nb::handle& owner, const char* name) {
  const nb::object found = owner.attr(name);
  return found.is_none() ? std::nullopt : std::optional(read_expression(found));
}

template <typename Reference>
Reference reference_of(const nb::handle& found) {
  return {read_index(found, "base"), read_index(found, "count"), maybe_expression(found, "index")};
}

ir::PoolReference pool(const nb::handle& owner) {
  return reference_of<ir::PoolReference>(owner.attr("pool"));
}

ir::Hold read_hold(const nb::handle& statement) {
  ir::Hold hold;
  for (const nb::handle part : statement.attr("pools")) {
    hold.pools.push_back(
        {pool(part), expression(part, "units"), maybe_expression(part, "reserve")});
  }
  hold.reuse = maybe_expression(statement, "reuse");
  hold.body = read_index(statement, "body");
  hold.cache = maybe_expression(statement, "cache");
  const nb::object lease = statement.attr("lease");
  if (!lease.is_none()) {
    hold.lease = ir::Lease{pool(lease), expression(lease, "time")};
  }
  return hold;
}

ir::Run read_run(const nb::handle& statement) {
  ir::Run run;
  run.stage = reference_of<ir::StageReference>(statement.attr("stage"));
  const auto mode = nb::cast<std::string>(statement.attr("mode"));
  run.mode = mode == "decode"    ? ir::Mode::decode
             : mode == "prefill" ? ir::Mode::prefill
                                 : ir::Mode::plain;
  run.work = expression(statement, "work");
  const nb::object growing = statement.attr("growing");
  if (!growing.is_none()) {
    run.growing = reference_of<ir::PoolReference>(growing);
  }
  for (const nb::handle also : statement.attr("also")) {
    run.also.push_back(reference_of<ir::StageReference>(also));
  }
  return run;
}

ir::Choose read_choose(const nb::handle& statement) {
  ir::Choose choose{read_index(statement, "slot"), expression(statement, "count"), {}, false};
  for (const nb::handle key : statement.attr("keys")) {
    choose.keys.push_back(read_expression(key));
  }
  return choose;
}

}  // namespace

ir::Statement read_statement(const nb::handle& statement) {
  const std::string kind = kind_of(statement);
  if (kind == "Turn") {
    return ir::Turn{};
  }
  if (kind == "End") {
    return ir::End{};
  }
  if (kind == "Set") {
    return ir::Set{read_index(statement, "slot"), expression(statement, "value")};
  }
  if (kind == "Observe") {
    return ir::Observe{read_index(statement, "observe"), expression(statement, "value")};
  }
  if (kind == "Hold") {
    return read_hold(statement);
  }
  if (kind == "Grow") {
    return ir::Grow{pool(statement), expression(statement, "units")};
  }
  if (kind == "Load") {
    return ir::Load{pool(statement), expression(statement, "units")};
  }
  if (kind == "Drop") {
    return ir::Drop{pool(statement)};
  }
  if (kind == "Release") {
    return ir::Release{pool(statement)};
  }
  if (kind == "Run") {
    return read_run(statement);
  }
  if (kind == "Branch") {
    return ir::Branch{expression(statement, "test"), read_index(statement, "then"),
                      read_index(statement, "otherwise")};
  }
  if (kind == "Loop") {
    return ir::Loop{read_index(statement, "body")};
  }
  if (kind == "Choose") {
    return read_choose(statement);
  }
  throw nb::type_error(("not a statement: " + kind).c_str());
}

}  // namespace serq::binding
