// Twin of src/serq/semantics/rng.py.
#include "rng.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace serq {
namespace {

constexpr std::array<std::uint32_t, 4> CONSTANTS{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

// A word of each block; what is done to it is one instruction.
constexpr std::size_t LANES = 4;
using Lanes = std::array<std::uint32_t, LANES>;
using Blocks = std::array<Lanes, 16>;

void add(Lanes& a, const Lanes& b) {
  for (std::size_t lane = 0; lane < LANES; ++lane) {
    a[lane] += b[lane];
  }
}

template <int turn>
void mix(Lanes& a, const Lanes& b) {
  for (std::size_t lane = 0; lane < LANES; ++lane) {
    a[lane] = std::rotl(a[lane] ^ b[lane], turn);
  }
}

void quarter_round(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  add(a, b);
  mix<16>(d, a);
  add(c, d);
  mix<12>(b, c);
  add(a, b);
  mix<8>(d, a);
  add(c, d);
  mix<7>(b, c);
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
  Blocks input{};
  for (std::size_t lane = 0; lane < LANES; ++lane) {
    for (std::size_t i = 0; i < 4; ++i) {
      input[i][lane] = CONSTANTS[i];
    }
    for (std::size_t i = 0; i < 8; ++i) {
      input[4 + i][lane] = key_[i];
    }
    input[12][lane] = static_cast<std::uint32_t>(counter_ + lane);
    input[13][lane] = static_cast<std::uint32_t>((counter_ + lane) >> 32);
  }
  Blocks x = input;
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
    add(x[i], input[i]);
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
