#include "structures/candidates.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "expressions.hpp"
#include "machine.hpp"
#include "structures/lanes.hpp"

namespace serq {
namespace {

using ir::Function;

bool asks_for_budget(const ir::Expression& expression) {
  return std::ranges::any_of(expression.nodes, [](const ir::Node& node) {
    return node.kind == ir::NodeKind::call &&
           static_cast<Function>(node.word) == Function::budget_left;
  });
}

// Whether asking a step stage for what is left of its budget may draw.
bool budget_may_draw(const ir::Stage& stage) {
  const auto* step = std::get_if<ir::Step>(&stage.kind);
  const auto may = [](const ir::Expression& asked) {
    return draws(asked) || asks_for_budget(asked);
  };
  return step != nullptr && (may(*step->budget) || may(*step->chunk));
}

bool may_use_lanes(const ir::Expression& key, bool budgets_may_draw) {
  return key.depth <= LaneEvaluator::DEPTH && !draws(key) &&
         !(budgets_may_draw && asks_for_budget(key));
}

constexpr std::uint64_t FEW = 4;  // candidates that are weighed as fast one by one

// The least of some keys and one more; a NaN is not less than anything, nor anything than it. Four
// are in work at the same time.
double least_of(const double* keys, std::size_t count, double than) {
  std::array<double, 4> least{than, than, than, than};
  std::size_t at = 0;
  for (; at + least.size() <= count; at += least.size()) {
    for (std::size_t lane = 0; lane < least.size(); ++lane) {
      least[lane] = keys[at + lane] < least[lane] ? keys[at + lane] : least[lane];
    }
  }
  for (; at < count; ++at) {
    least[0] = keys[at] < least[0] ? keys[at] : least[0];
  }
  for (const double key : least) {
    than = key < than ? key : than;
  }
  return than;
}

// The candidate with the least keys of those that came by; they come in ascending order.
class Least {
 public:
  explicit Least(std::size_t keys) : others_(keys - 1) {}

  std::uint64_t candidate() const { return candidate_; }

  // Its keys are `stride` apart.
  void offer(std::uint64_t candidate, const double* keys, std::size_t stride) {
    if (candidate == 0 || precedes(keys, stride)) {
      candidate_ = candidate;
      key_ = *keys;
      for (double& other : others_) {
        keys += stride;
        other = *keys;
      }
    }
  }

  // Candidates from `first` on, with a key each.
  void offer_all(std::uint64_t first, const double* keys, std::size_t count) {
    if (first == 0) {
      key_ = *keys;
    }
    const double least = least_of(keys, count, key_);
    if (least < key_) {
      const double* const found = std::find(keys, keys + count, least);
      candidate_ = first + static_cast<std::uint64_t>(found - keys);
      key_ = least;
    }
  }

 private:
  // Whether the first keys that differ are in ascending order.
  bool precedes(const double* keys, std::size_t stride) const {
    if (*keys != key_) {
      return *keys < key_;
    }
    for (const double other : others_) {
      keys += stride;
      if (*keys != other) {
        return *keys < other;
      }
    }
    return false;
  }

  std::uint64_t candidate_ = 0;
  double key_ = 0.0;
  std::vector<double> others_;  // the other keys
};

// Weighs many at once, up to the first ones of which one has an error; how many were weighed.
std::uint64_t weigh_many(const Scope& scope, const ir::Choose& statement, std::uint64_t count,
                         Least& least) {
  LaneEvaluator lanes(scope, statement.slot);
  const std::size_t several = statement.keys.size() == 1 ? 0 : statement.keys.size();
  std::vector<std::array<double, LaneEvaluator::WIDTH>> keys(several);
  for (std::uint64_t first = 0; first < count; first += LaneEvaluator::WIDTH) {
    const std::size_t width = std::min<std::uint64_t>(count - first, LaneEvaluator::WIDTH);
    try {
      if (several == 0) {
        least.offer_all(first, lanes.evaluate(statement.keys.front(), first, width), width);
        continue;
      }
      for (std::size_t at = 0; at < several; ++at) {
        std::copy_n(lanes.evaluate(statement.keys[at], first, width), width, keys[at].data());
      }
    } catch (const RunError&) {
      return first;
    }
    for (std::size_t lane = 0; lane < width; ++lane) {
      least.offer(first + lane, &keys.front()[lane], LaneEvaluator::WIDTH);
    }
  }
  return count;
}

}  // namespace

void allow_lanes(ir::Program& program) {
  const bool budgets = std::ranges::any_of(program.stages, budget_may_draw);
  for (ir::Block& block : program.blocks) {
    for (ir::Statement& statement : block) {
      if (auto* choose = std::get_if<ir::Choose>(&statement)) {
        choose->lanes = std::ranges::all_of(choose->keys, [&](const ir::Expression& key) {
          return may_use_lanes(key, budgets);
        });
      }
    }
  }
}

std::uint64_t least_candidate(const Scope& scope, Session& session, const ir::Choose& statement,
                              std::uint64_t count) {
  Least least(statement.keys.size());
  std::uint64_t candidate = 0;
  if (statement.lanes && count >= FEW && scope.machine->options.fast_path) {
    candidate = weigh_many(scope, statement, count, least);
    if (candidate == count) {
      return least.candidate();
    }
  }
  std::vector<double> keys(statement.keys.size());
  for (; candidate < count; ++candidate) {
    session.attributes[statement.slot] = static_cast<double>(candidate);
    for (std::size_t at = 0; at < keys.size(); ++at) {
      keys[at] = evaluate(statement.keys[at], scope);
    }
    least.offer(candidate, keys.data(), 1);
  }
  return least.candidate();
}

}  // namespace serq
