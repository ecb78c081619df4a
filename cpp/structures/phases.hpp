// How many of some things are due in each phase of a period, and which phase is next.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "structures/arena.hpp"
#include "structures/fetch.hpp"
#include "structures/index_set.hpp"

namespace serq {

class Phases {
 public:
  void fetch() const {
    serq::fetch(counts_.data());
    some_.fetch();
  }

  std::uint64_t period() const { return counts_.size(); }

  void set_period(std::uint64_t period) {
    counts_.resize(period);
    some_.set_end(period);
  }

  std::uint32_t operator[](std::uint64_t phase) const { return counts_[phase]; }

  void add(std::uint64_t phase) {
    ++counts_[phase];
    some_.add(phase);
  }

  void remove(std::uint64_t phase) {
    if (--counts_[phase] == 0) {
      some_.remove(phase);
    }
  }

  // How far the next phase that has some is from this one; a period when there is none.
  std::uint64_t distance(std::uint64_t phase) const {
    if (period() <= IndexSet::WORD) {
      return distance_in_word(some_.word(0), phase);
    }
    const std::uint64_t later = some_.first_from(phase + 1, period());
    if (later != period()) {
      return later - phase;
    }
    const std::uint64_t earlier = some_.first_from(0, phase);
    return earlier + period() - phase;
  }

 private:
  std::uint64_t distance_in_word(std::uint64_t some, std::uint64_t phase) const {
    const std::uint64_t later = some >> phase >> 1;
    if (later != 0) {
      return static_cast<std::uint64_t>(std::countr_zero(later)) + 1;
    }
    const auto first = static_cast<std::uint64_t>(std::countr_zero(some));
    return std::min(first, phase) + period() - phase;
  }

  Items<std::uint32_t> counts_;
  IndexSet some_;
};

}  // namespace serq
