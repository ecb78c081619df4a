// Instructions that ask pools and stages, for many lanes: the rest of `lanes.cpp`.
#include "cache.hpp"
#include "expressions.hpp"
#include "functions.hpp"
#include "machine.hpp"
#include "structures/codes.hpp"
#include "structures/lanes.hpp"

namespace serq {

using ir::Function;

void LaneEvaluator::do_reading(const ir::Instruction& at) {
  const auto function = static_cast<Function>(at.word);
  switch (at.code) {
    case code_of(Code::resolve_pool):
    case code_of(Code::resolve_stage):
      return resolve(at.a, at.b);
    case code_of(Code::state):
      return read_states(function, Members{});
    case code_of(Code::push_reference):
      return push(static_cast<double>(at.a));
    case code_of(Code::push_state):
      return push(do_call(scope_, function, at.a));
    case code_of(Code::price):
      return do_price();
    default:
      return do_member_state(at);
  }
}

// The state of the member that an attribute is the index of.
void LaneEvaluator::do_member_state(const ir::Instruction& at) {
  const auto function = static_cast<Function>(at.word);
  const auto slot = static_cast<std::uint32_t>(at.value);
  if (slot != slot_ || divided_) {
    push_attribute(slot);
    resolve(at.a, at.b);
    return read_states(function, Members{});
  }
  if (first_ + width() > at.b) {
    throw RunError{};
  }
  push_varying();
  read_states(function, Members{true, at.a + first_});
}

// The top becomes the number of the member that it is the index of.
void LaneEvaluator::resolve(std::uint32_t base, std::uint32_t members) {
  double* const index = row(part_.height - 1);
  const std::size_t count = lanes(part_.height - 1);
  bool beyond = false;
  for (std::size_t lane = 0; lane < count; ++lane) {
    beyond |= index[lane] >= static_cast<double>(members);
  }
  if (beyond) {
    throw RunError{};
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto at = index[lane] > 0.0 ? static_cast<std::uint32_t>(index[lane]) : 0U;
    index[lane] = static_cast<double>(base + at);
  }
}

template <typename Read>
void LaneEvaluator::read_each(const Members& members, Read read) {
  double* const state = row(part_.height - 1);
  const std::size_t count = lanes(part_.height - 1);
  if (members.neighbours) {
    for (std::size_t lane = 0; lane < count; ++lane) {
      state[lane] = read(members.first + lane);
    }
  } else {
    for (std::size_t lane = 0; lane < count; ++lane) {
      state[lane] = read(static_cast<std::uint32_t>(state[lane]));
    }
  }
}

// What is asked most has a loop of its own.
void LaneEvaluator::read_states(Function function, const Members& members) {
  Machine& machine = *scope_.machine;
  const PoolCounts* const counts = machine.pool_counts.data();
  switch (function) {
    case Function::holders:
      return read_each(members,
                       [=](auto at) { return static_cast<double>(counts[at].holders); });
    case Function::queued:
      return read_each(members, [=](auto at) { return static_cast<double>(counts[at].queued); });
    case Function::used:
      return read_each(members, [&](auto at) { return do_used(scope_, machine.pools[at]); });
    case Function::free:
      return read_each(members, [&](auto at) { return do_free(scope_, machine.pools[at]); });
    case Function::cachedin:
      return read_cached(members);
    case Function::queue:
      return read_each(members, [&](auto at) { return do_queue(scope_, machine.stages[at]); });
    case Function::work:
      return read_each(members, [&](auto at) { return do_work(scope_, machine.stages[at]); });
    case Function::budget_left:
      return read_each(members,
                       [&](auto at) { return do_budget_left(scope_, machine.stages[at]); });
    default:
      return read_each(members, [&](auto at) { return do_call(scope_, function, at); });
  }
}

// A session has a prefix in few pools.
void LaneEvaluator::read_cached(const Members& members) {
  const Machine& machine = *scope_.machine;
  const Session* const session = scope_.session;
  if (session == nullptr || session->entries.empty()) {
    return read_each(members, [](auto) { return 0.0; });
  }
  read_each(members, [&](auto at) {
    const auto number = static_cast<std::uint32_t>(at);
    return find_entry(machine, *session, number) == nullptr
               ? 0.0
               : do_cachedin(scope_, machine.pools[number]);
  });
}

void LaneEvaluator::do_price() {
  const std::size_t number = part_.height - 3;
  part_.height -= 2;
  if (!(same(number) && same(number + 1) && same(number + 2))) {
    vary(number);
    vary(number + 1);
    vary(number + 2);
  }
  double* const stages = row(number);
  const double* const hits = row(number + 1);
  const double* const more = row(number + 2);
  for (std::size_t lane = 0; lane < lanes(number); ++lane) {
    const Stage& stage = scope_.machine->stages[static_cast<std::uint32_t>(stages[lane])];
    stages[lane] = serq::do_price(scope_, stage, hits[lane], more[lane]);
  }
}

}  // namespace serq
