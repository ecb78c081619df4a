// How many of some things are due in each phase of a period, and which phase is next.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace serq {

class Phases {
 public:
  std::uint64_t period() const { return counts_.size(); }

  void set_period(std::uint64_t period) {
    counts_.resize(period);
    some_.resize((period + WORD - 1) / WORD);
  }

  std::uint32_t operator[](std::uint64_t phase) const { return counts_[phase]; }

  void add(std::uint64_t phase) {
    ++counts_[phase];
    some_[phase / WORD] |= bit(phase);
  }

  void remove(std::uint64_t phase) {
    if (--counts_[phase] == 0) {
      some_[phase / WORD] &= ~bit(phase);
    }
  }

  // How far the next phase that has some is from this one; a period when there is none.
  std::uint64_t distance(std::uint64_t phase) const {
    const std::uint64_t later = first_from(phase + 1, period());
    if (later != period()) {
      return later - phase;
    }
    return first_from(0, phase + 1) + period() - phase;
  }

 private:
  static constexpr std::uint64_t WORD = 64;

  static std::uint64_t bit(std::uint64_t phase) { return std::uint64_t{1} << (phase % WORD); }

  // The first phase from `from` on that has some; `end` if there is none before.
  std::uint64_t first_from(std::uint64_t from, std::uint64_t end) const {
    for (std::uint64_t word = from / WORD; word * WORD < end; ++word) {
      std::uint64_t bits = some_[word];
      if (word * WORD < from) {
        bits &= ~std::uint64_t{0} << (from % WORD);
      }
      if (bits != 0) {
        const std::uint64_t found =
            word * WORD + static_cast<std::uint64_t>(std::countr_zero(bits));
        return found < end ? found : end;
      }
    }
    return end;
  }

  std::vector<std::uint32_t> counts_;
  std::vector<std::uint64_t> some_;  // a bit each
};

}  // namespace serq
