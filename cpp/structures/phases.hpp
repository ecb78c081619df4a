// How many of some things are due in each phase of a period, and which phase is next.
#pragma once

#include <cstdint>

#include "structures/arena.hpp"
#include "structures/index_set.hpp"

namespace serq {

class Phases {
 public:
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
    const std::uint64_t later = some_.first_from(phase + 1, period());
    if (later != period()) {
      return later - phase;
    }
    const std::uint64_t earlier = some_.first_from(0, phase);
    return earlier + period() - phase;
  }

 private:
  Items<std::uint32_t> counts_;
  IndexSet some_;
};

}  // namespace serq
