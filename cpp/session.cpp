// Twin of src/serq/semantics/session.py.
#include "session.hpp"

#include <algorithm>

#include "expressions.hpp"
#include "machine.hpp"
#include "numbers.hpp"

namespace serq {
namespace {

constexpr std::uint64_t LARGEST_TURN = 0xffff'ffff;

}  // namespace

double Holding::computed() const { return hold->grown ? position : allocated; }

Holding* Hold::on(const Pool& pool) const {
  for (const Held& held : holdings) {
    if (held.pool == &pool) {
      return held.holding;
    }
  }
  return nullptr;
}

// The one whose record it was ended without a frame, a hold, a lease or a job, and waits nowhere.
[[gnu::always_inline]] inline void Session::start(std::uint64_t number,
                                                 std::size_t attribute_count) {
  serial = number;
  if (attributes.empty()) {
    attributes.resize((attribute_count + 3) / 4 * 4);  // what most sessions need, side by side
    frames.reserve(4);
    holds.reserve(2);
    waiting.pools.reserve(2);
    waiting.units.reserve(2);
  }
  // Four at a time: a call that clears memory costs more than so few are worth.
  for (double *at = attributes.data(), *const end = at + attributes.size(); at != end; at += 4) {
    at[0] = at[1] = at[2] = at[3] = 0.0;
  }
  admission = BEFORE_ANY;
  turns = nullptr;
  turns_taken = 0;
  positions.clear();
  token = {};
  instant = -1.0;
  statements = 0;
  status = Status::ready;
  stuck = false;
}

Place Session::loop_place() const {
  for (std::size_t inner = frames.size(); inner-- > 1;) {
    if (frames[inner].kind == FrameKind::loop) {
      const Frame& outer = frames[inner - 1];
      return {Part::statement, outer.block, outer.next - 1, 0};
    }
  }
  if (frames.empty() || frames.back().size == 0) {
    return {Part::arrival, 0, 0, 0};
  }
  const Frame& frame = frames.back();
  return {Part::statement, frame.block, std::min(frame.next, frame.size - 1), 0};
}

Holding* Session::innermost(const Pool& pool) const {
  for (std::size_t at = holds.size(); at-- > 0;) {
    if (Holding* holding = holds[at]->on(pool)) {
      return holding;
    }
  }
  return nullptr;
}

double Session::allocated(const Pool& pool) const {
  double total = 0.0;
  for (const Hold* hold : holds) {
    for (const Held& held : hold->holdings) {
      if (held.pool == &pool) {
        total += held.holding->allocated;
      }
    }
  }
  return total;
}

void Session::forget_position(const Pool& pool) {
  std::erase_if(positions, [&](const Position& known) { return known.pool == pool.index; });
}

[[gnu::always_inline]] inline void do_set(Machine& machine, Session& session,
                                          const ir::Set& statement) {
  session.attributes[statement.slot] = evaluate(statement.value, machine, session);
}

[[gnu::always_inline]] inline void do_observe(Machine& machine, Session& session,
                                              const ir::Observe& statement) {
  const double value = evaluate(statement.value, machine, session);
  if (!machine.warm) {
    return;
  }
  if (!machine.options.samples) {
    machine.sample_streams[statement.observe].add(value);
    return;
  }
  const double turn = session.attributes[machine.program.slots.turn_no];
  machine.observes[statement.observe].add(value, machine.now, session.serial,
                                          saturate(turn, LARGEST_TURN));
}

}  // namespace serq
