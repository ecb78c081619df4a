// Twin of src/serq/semantics/rng.py.
#include "rng.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

namespace serq {
namespace {

constexpr std::array<std::uint32_t, 4> CONSTANTS{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

// A word of each of some blocks.
#if defined(__GNUC__)
template <std::size_t LANES>
struct Vector {
  using Type [[gnu::vector_size(4 * LANES)]] = std::uint32_t;
};

template <std::size_t LANES>
using Lanes = typename Vector<LANES>::Type;
#define SERQ_INLINED [[gnu::always_inline]] inline
#else
template <std::size_t LANES>
struct Lanes {
  std::uint32_t word[LANES];

  template <typename Result>
  Lanes& each(const Result& result) {
    for (std::size_t i = 0; i < LANES; ++i) {
      word[i] = result(i);
    }
    return *this;
  }

  std::uint32_t& operator[](std::size_t i) { return word[i]; }
  std::uint32_t operator[](std::size_t i) const { return word[i]; }
  Lanes& operator+=(const Lanes& b) {
    return each([&](std::size_t i) { return word[i] + b.word[i]; });
  }
  Lanes& operator^=(const Lanes& b) {
    return each([&](std::size_t i) { return word[i] ^ b.word[i]; });
  }
  Lanes operator|(const Lanes& b) const {
    return Lanes{}.each([&](std::size_t i) { return word[i] | b.word[i]; });
  }
  Lanes operator<<(int by) const {
    return Lanes{}.each([&](std::size_t i) { return word[i] << by; });
  }
  Lanes operator>>(int by) const {
    return Lanes{}.each([&](std::size_t i) { return word[i] >> by; });
  }
};
#define SERQ_INLINED inline
#endif

// All is part of its caller, which may be made for another processor than the rest is.
template <typename Word>
SERQ_INLINED void turn(Word& a, int by) {
  a = (a << by) | (a >> (32 - by));
}

template <typename Word>
SERQ_INLINED void quarter_round(Word& a, Word& b, Word& c, Word& d) {
  a += b;
  d ^= a;
  turn(d, 16);
  c += d;
  b ^= c;
  turn(b, 12);
  a += b;
  d ^= a;
  turn(d, 8);
  c += d;
  b ^= c;
  turn(b, 7);
}

template <typename Word>
SERQ_INLINED void double_round(Word* x) {
  quarter_round(x[0], x[4], x[8], x[12]);
  quarter_round(x[1], x[5], x[9], x[13]);
  quarter_round(x[2], x[6], x[10], x[14]);
  quarter_round(x[3], x[7], x[11], x[15]);
  quarter_round(x[0], x[5], x[10], x[15]);
  quarter_round(x[1], x[6], x[11], x[12]);
  quarter_round(x[2], x[7], x[8], x[13]);
  quarter_round(x[3], x[4], x[9], x[14]);
}

// The words of `LANES` blocks from that counter on.
template <std::size_t LANES>
SERQ_INLINED void make_blocks(const std::array<std::uint32_t, 8>& key, std::uint64_t counter,
                              std::uint32_t* words) {
  Lanes<LANES> input[16]{};
  for (std::size_t lane = 0; lane < LANES; ++lane) {
    for (std::size_t i = 0; i < 4; ++i) {
      input[i][lane] = CONSTANTS[i];
    }
    for (std::size_t i = 0; i < 8; ++i) {
      input[4 + i][lane] = key[i];
    }
    input[12][lane] = static_cast<std::uint32_t>(counter + lane);
    input[13][lane] = static_cast<std::uint32_t>((counter + lane) >> 32);
  }
  Lanes<LANES> x[16];
  std::copy(std::begin(input), std::end(input), std::begin(x));
  for (int round = 0; round < 6; ++round) {
    double_round(x);
  }
  for (std::size_t i = 0; i < 16; ++i) {
    x[i] += input[i];
    for (std::size_t lane = 0; lane < LANES; ++lane) {
      words[16 * lane + i] = x[i][lane];
    }
  }
}

#undef SERQ_INLINED

#if defined(__GNUC__) && defined(__x86_64__)
#define SERQ_WIDE
[[gnu::target("avx2")]] void make_eight_blocks(const std::array<std::uint32_t, 8>& key,
                                               std::uint64_t counter, std::uint32_t* words) {
  make_blocks<8>(key, counter, words);
}
#endif

struct Product {
  std::uint64_t high;
  std::uint64_t low;
};

// All 128 bits of a product, from four products of halves.
Product multiply(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t half = 0xffffffff;
  const std::uint64_t low = (a & half) * (b & half);
  const std::uint64_t middle = (a >> 32) * (b & half) + (low >> 32);
  const std::uint64_t cross = (a & half) * (b >> 32) + (middle & half);
  return {(a >> 32) * (b >> 32) + (middle >> 32) + (cross >> 32), (cross << 32) | (low & half)};
}

}  // namespace

std::array<std::uint32_t, 8> key_words(std::uint64_t seed) {
  std::array<std::uint32_t, 8> words{};
  for (std::uint32_t& word : words) {
    seed = seed * 6364136223846793005U + 11634580027462260723U;
    const auto shifted = static_cast<std::uint32_t>(((seed >> 18) ^ seed) >> 27);
    word = std::rotr(shifted, static_cast<int>(seed >> 59));
  }
  return words;
}

// Eight blocks at once where the processor has instructions for that, else four and four.
void Rng::refill() {
  const std::uint64_t counter = counter_;
  counter_ += BLOCKS;
  used_ = 0;
#if defined(SERQ_WIDE)
  if (__builtin_cpu_supports("avx2") != 0) {
    return make_eight_blocks(key_, counter, words_.data());
  }
#endif
  make_blocks<4>(key_, counter, words_.data());
  make_blocks<4>(key_, counter + 4, words_.data() + 64);
}

double Rng::range_f64(double low, double high) {
  return static_cast<double>(next_u64() >> 12) * 0x1p-52 * (high - low) + low;
}

std::uint32_t Rng::range_u32(std::uint32_t low, std::uint32_t high) {
  const std::uint32_t width = high - low + 1;  // 0 stands for 2^32
  if (width == 0) {
    return next_u32();
  }
  const std::uint64_t product = static_cast<std::uint64_t>(next_u32()) * width;
  auto result = static_cast<std::uint32_t>(product >> 32);
  const auto fraction = static_cast<std::uint32_t>(product);
  if (fraction > 0U - width) {
    const std::uint64_t more = (static_cast<std::uint64_t>(next_u32()) * width) >> 32;
    if ((fraction + more) >> 32 != 0) {
      ++result;
    }
  }
  return low + result;
}

std::uint64_t Rng::range_u64(std::uint64_t low, std::uint64_t high) {
  const std::uint64_t width = high - low + 1;  // 0 stands for 2^64
  if (width == 0) {
    return next_u64();
  }
  const Product product = multiply(next_u64(), width);
  std::uint64_t result = product.high;
  if (product.low > std::uint64_t{0} - width) {
    const std::uint64_t more = multiply(next_u64(), width).high;
    if (product.low + more < more) {  // the sum passed 2^64
      ++result;
    }
  }
  return low + result;
}

Streams::Streams(std::uint64_t seed)
    : arrivals(seed),
      workload(seed ^ 0x9e3779b97f4a7c15),
      session(seed ^ 0x5851f42d4c957f2d),
      eviction(seed ^ 0x2545f4914f6cdd1d),
      trace(seed ^ 0x6a09e667f3bcc908) {}

double draw_exp(Rng& rng, double mean) { return -mean * std::log(1.0 - rng.random_f64()); }

double draw_det(Rng& /*rng*/, double value) { return value; }

double draw_uniform(Rng& rng, double low, double high) {
  return low + (high - low) * rng.random_f64();
}

double draw_erlang(Rng& rng, double k, double mean) {
  if (k > MAX_ERLANG_PHASES) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int phases = k > 1.0 ? static_cast<int>(k) : 1;
  const double phase_mean = mean / phases;
  double total = -0.0;
  for (int phase = 0; phase < phases; ++phase) {
    total += draw_exp(rng, phase_mean);
  }
  return total;
}

double draw_h2(Rng& rng, double mean, double cv2) {
  cv2 = cv2 > 1.0 ? cv2 : 1.0;
  const double p = 0.5 * (1.0 + std::sqrt((cv2 - 1.0) / (cv2 + 1.0)));
  const double branch_mean =
      rng.random_f64() < p ? mean / (2.0 * p) : mean / (2.0 * (1.0 - p));
  return draw_exp(rng, branch_mean);
}

double draw_bernoulli(Rng& rng, double p) { return rng.random_f64() < p ? 1.0 : 0.0; }

double draw_poisson_gap(Rng& rng, double rate) {
  const double gap = -std::log(1.0 - rng.random_f64());
  return rate != 0.0 ? gap / rate : std::numeric_limits<double>::infinity();
}

[[gnu::noinline]] void PoissonGaps::refill(Rng& rng, double rate) {
  for (double& gap : gaps_) {
    gap = draw_poisson_gap(rng, rate);
  }
  used_ = 0;
}

std::uint32_t draw_trace_pick(Rng& rng, std::uint32_t sessions) {
  return rng.range_u32(0, sessions - 1);
}

}  // namespace serq
