// Twin of src/serq/semantics/rng.py. Blocks are made eight at a time: an instruction has a
// word of each of four, or of all. A range must be one: the caller checks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace serq {

std::array<std::uint32_t, 8> key_words(std::uint64_t seed);

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : key_(key_words(seed)) {}

  std::uint32_t next_u32() {
    if (used_ == words_.size()) {
      refill();
    }
    return words_[used_++];
  }

  std::uint64_t next_u64() {
    if (used_ + 2 <= words_.size()) {
      used_ += 2;
      return (static_cast<std::uint64_t>(words_[used_ - 1]) << 32) | words_[used_ - 2];
    }
    const std::uint64_t low = next_u32();
    return (static_cast<std::uint64_t>(next_u32()) << 32) | low;
  }

  double random_f64() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

  double range_f64(double low, double high);
  std::uint32_t range_u32(std::uint32_t low, std::uint32_t high);
  std::uint64_t range_u64(std::uint64_t low, std::uint64_t high);

 private:
  static constexpr std::size_t BLOCKS = 8;

  void refill();

  std::array<std::uint32_t, 8> key_;
  std::array<std::uint32_t, 16 * BLOCKS> words_{};
  std::size_t used_ = 16 * BLOCKS;
  std::uint64_t counter_ = 0;
};

struct Streams {
  explicit Streams(std::uint64_t seed);

  Rng arrivals;
  Rng workload;
  Rng session;
  Rng eviction;
  Rng trace;
};

inline constexpr int MAX_ERLANG_PHASES = 1'000'000;

double draw_exp(Rng& rng, double mean);
double draw_det(Rng& rng, double value);
double draw_uniform(Rng& rng, double low, double high);
double draw_erlang(Rng& rng, double k, double mean);
double draw_h2(Rng& rng, double mean, double cv2);
double draw_bernoulli(Rng& rng, double p);
double draw_poisson_gap(Rng& rng, double rate);

// Gaps of a Poisson process that has its stream for itself, drawn some at a time: their
// logarithms do not wait for each other.
class PoissonGaps {
 public:
  double next(Rng& rng, double rate) {
    if (used_ == gaps_.size()) {
      refill(rng, rate);
    }
    return gaps_[used_++];
  }

 private:
  static constexpr std::size_t AT_ONCE = 16;

  void refill(Rng& rng, double rate);

  std::array<double, AT_ONCE> gaps_{};
  std::size_t used_ = AT_ONCE;
};

std::uint32_t draw_trace_pick(Rng& rng, std::uint32_t sessions);

}  // namespace serq
