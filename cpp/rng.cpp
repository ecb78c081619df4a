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

constexpr std::size_t LANES = 4;

// A word of each of four blocks.
#if defined(__GNUC__)
using Lanes [[gnu::vector_size(16)]] = std::uint32_t;
#else
struct Lanes {
  std::uint32_t word[LANES];

  template <typename Result>
  Lanes each(const Result& result) const {
    return {{result(0), result(1), result(2), result(3)}};
  }

  std::uint32_t& operator[](std::size_t i) { return word[i]; }
  Lanes operator+(const Lanes& b) const {
    return each([&](std::size_t i) { return word[i] + b.word[i]; });
  }
  Lanes operator^(const Lanes& b) const {
    return each([&](std::size_t i) { return word[i] ^ b.word[i]; });
  }
  Lanes operator|(const Lanes& b) const {
    return each([&](std::size_t i) { return word[i] | b.word[i]; });
  }
  Lanes operator<<(int turn) const {
    return each([&](std::size_t i) { return word[i] << turn; });
  }
  Lanes operator>>(int turn) const {
    return each([&](std::size_t i) { return word[i] >> turn; });
  }
};
#endif

Lanes turned(Lanes a, int turn) { return (a << turn) | (a >> (32 - turn)); }

void quarter_round(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  a = a + b;
  d = turned(d ^ a, 16);
  c = c + d;
  b = turned(b ^ c, 12);
  a = a + b;
  d = turned(d ^ a, 8);
  c = c + d;
  b = turned(b ^ c, 7);
}

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

void Rng::refill() {
  const auto same = [](std::uint32_t word) { return Lanes{word, word, word, word}; };
  const auto counters = [&](int shift) {
    const auto word = [&](std::uint64_t lane) {
      return static_cast<std::uint32_t>((counter_ + lane) >> shift);
    };
    return Lanes{word(0), word(1), word(2), word(3)};
  };
  const auto& k = key_;
  const Lanes input[16]{
      same(CONSTANTS[0]), same(CONSTANTS[1]), same(CONSTANTS[2]), same(CONSTANTS[3]),
      same(k[0]), same(k[1]), same(k[2]), same(k[3]), same(k[4]), same(k[5]), same(k[6]),
      same(k[7]), counters(0), counters(32), same(0), same(0)};
  Lanes x[16];
  std::copy(std::begin(input), std::end(input), std::begin(x));
  for (int round = 0; round < 6; ++round) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
  for (std::size_t i = 0; i < 16; ++i) {
    x[i] = x[i] + input[i];
    for (std::size_t lane = 0; lane < LANES; ++lane) {
      words_[16 * lane + i] = x[i][lane];
    }
  }
  counter_ += LANES;
  used_ = 0;
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

std::uint32_t draw_trace_pick(Rng& rng, std::uint32_t sessions) {
  return rng.range_u32(0, sessions - 1);
}

}  // namespace serq
