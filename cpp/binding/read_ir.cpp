// Programs, pools, stages and arrivals of the IR.
#include "binding/read_ir.hpp"

#include <nanobind/stl/string.h>

#include <memory>
#include <unordered_map>

#include "structures/candidates.hpp"

namespace nb = nanobind;

namespace serq::binding {
namespace {

// Expressions by the objects they were read of: members of an array have the very same ones.
class Known {
 public:
  ir::SharedExpression read(const nb::object& expression) {
    ir::SharedExpression& known = known_[expression.ptr()];
    if (known == nullptr) {
      known = std::make_shared<const ir::Expression>(read_expression(expression));
    }
    return known;
  }

 private:
  std::unordered_map<PyObject*, ir::SharedExpression> known_;
};

std::optional<std::vector<ir::Expression>> maybe_keys(const nb::handle& found) {
  if (found.is_none()) {
    return std::nullopt;
  }
  std::vector<ir::Expression> keys;
  for (const nb::handle key : found) {
    keys.push_back(read_expression(key));
  }
  return keys;
}

std::optional<std::uint32_t> maybe_index(const nb::handle& owner, const char* name) {
  const nb::object found = owner.attr(name);
  return found.is_none() ? std::nullopt : std::optional(nb::cast<std::uint32_t>(found));
}

ir::Pool read_pool(const nb::handle& pool) {
  ir::Pool read;
  read.cap = nb::cast<double>(pool.attr("cap"));
  const nb::object block = pool.attr("block");
  if (!block.is_none()) {
    read.block = nb::cast<double>(block);
  }
  read.evict = maybe_keys(pool.attr("evict"));
  read.preempt_lifo = nb::cast<bool>(pool.attr("preempt_lifo"));
  read.queue = maybe_keys(pool.attr("queue"));
  const nb::object spill = pool.attr("spill");
  if (!spill.is_none()) {
    read.spill = ir::Spill{read_index(spill, "to"), read_index(spill, "via"),
                           read_expression(spill.attr("work")),
                           read_expression(spill.attr("when"))};
  }
  read.admit_via = maybe_index(pool, "admit_via");
  return read;
}

ir::StageKind read_stage_kind(const nb::handle& stage, Known& known) {
  const std::string kind = kind_of(stage);
  if (kind == "Fifo") {
    return ir::Fifo{nb::cast<std::uint64_t>(stage.attr("servers"))};
  }
  if (kind == "Ps") {
    return ir::Ps{read_expression(stage.attr("capacity"))};
  }
  if (kind == "Delay") {
    return ir::Delay{};
  }
  if (kind != "Step") {
    throw nb::type_error(("not a kind of stage: " + kind).c_str());
  }
  ir::Step step;
  step.budget = known.read(stage.attr("budget"));
  step.cost = known.read(stage.attr("cost"));
  step.chunk = known.read(stage.attr("chunk"));
  const nb::object serve = stage.attr("serve");
  if (kind_of(serve) == "ExclusivePrefill") {
    step.serve = ir::ExclusivePrefill{};
  } else {
    step.serve = ir::ServeBy{*maybe_keys(serve.attr("keys"))};
  }
  step.memory = maybe_index(stage, "memory");
  return step;
}

ir::Preset read_preset(const nb::handle& preset) {
  ir::Preset read{read_values(preset.attr("attributes")), {}};
  for (const nb::handle turn : preset.attr("turns")) {
    read.turns.push_back(read_values(turn));
  }
  return read;
}

ir::Slots read_slots(const nb::handle& slots) {
  return {read_index(slots, "cached"), read_index(slots, "serial"), read_index(slots, "turn_no"),
          read_index(slots, "more"), read_index(slots, "computed")};
}

ir::Share read_share(const nb::handle& share) {
  if (share.is_none()) {
    return ir::Share::none;
  }
  return nb::cast<std::string>(share) == "maxmin" ? ir::Share::maxmin : ir::Share::bottleneck;
}

}  // namespace

std::string kind_of(const nb::handle& node) {
  return nb::cast<std::string>(node.type().attr("__name__"));
}

std::uint32_t read_index(const nb::handle& owner, const char* name) {
  return nb::cast<std::uint32_t>(owner.attr(name));
}

ir::Values read_values(const nb::handle& values) {
  ir::Values read;
  for (const nb::handle pair : values) {
    read.emplace_back(nb::cast<std::uint32_t>(pair[0]), nb::cast<double>(pair[1]));
  }
  return read;
}

ir::Arrival read_arrival(const nb::handle& arrival) {
  const std::string kind = kind_of(arrival);
  if (kind == "Poisson") {
    return ir::Poisson{nb::cast<double>(arrival.attr("rate"))};
  }
  if (kind == "Renewal") {
    return ir::Renewal{read_expression(arrival.attr("gap"))};
  }
  if (kind == "Closed") {
    return ir::Closed{nb::cast<std::uint64_t>(arrival.attr("count"))};
  }
  if (kind == "Batch") {
    return ir::Batch{nb::cast<std::uint64_t>(arrival.attr("count"))};
  }
  if (kind == "Sessions") {
    ir::Sessions sessions;
    for (const nb::handle preset : arrival.attr("sessions")) {
      sessions.sessions.push_back(read_preset(preset));
    }
    return sessions;
  }
  if (kind == "TraceArrivals") {
    return ir::TraceArrivals{nb::cast<double>(arrival.attr("scale"))};
  }
  if (kind == "NoArrivals") {
    return ir::NoArrivals{};
  }
  throw nb::type_error(("not a kind of arrivals: " + kind).c_str());
}

ir::Program read_program(const nb::handle& program) {
  static_cast<void>(estimates_wanted());  // by a program that could not be read to its end
  ir::Program read;
  read.attributes = nb::len(nb::object(program.attr("attributes")));
  read.observes = nb::len(nb::object(program.attr("observes")));
  for (const nb::handle pool : program.attr("pools")) {
    read.pools.push_back(read_pool(pool));
  }
  Known known;
  for (const nb::handle stage : program.attr("stages")) {
    read.stages.push_back({read_stage_kind(stage.attr("kind"), known)});
  }
  read.arrival = read_arrival(program.attr("arrival"));
  read.trace_ordered = nb::cast<bool>(program.attr("trace_ordered"));
  read.init = read_index(program, "init");
  read.turn = read_index(program, "turn");
  read.session = read_index(program, "session");
  for (const nb::handle block : program.attr("blocks")) {
    ir::Block& statements = read.blocks.emplace_back();
    for (const nb::handle statement : block) {
      statements.push_back(read_statement(statement));
      if (auto* hold = std::get_if<ir::Hold>(&statements.back())) {
        hold->place = {static_cast<std::uint32_t>(read.blocks.size() - 1),
                       static_cast<std::uint32_t>(statements.size() - 1)};
      }
    }
  }
  allow_lanes(read);
  read.horizon = nb::cast<double>(program.attr("horizon"));
  read.warmup = nb::cast<double>(program.attr("warmup"));
  read.seed = nb::cast<std::uint64_t>(program.attr("seed"));
  const nb::object arrivals = program.attr("arrivals");
  if (!arrivals.is_none()) {
    read.arrivals = nb::cast<std::uint64_t>(arrivals);
  }
  read.slots = read_slots(program.attr("slots"));
  read.share = read_share(program.attr("share"));
  for (const nb::handle gauge : program.attr("gauges")) {
    read.gauges.push_back({read_expression(gauge.attr("value"))});
  }
  read.estimates = estimates_wanted();
  return read;
}

}  // namespace serq::binding
