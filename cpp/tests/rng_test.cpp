// The generator and the laws against published or recorded values. Needs no Python.
#include "rng.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"

namespace {

void generator_gives_the_words_of_its_seed() {
  CHECK(serq::key_words(0)[0] == 0xf973f2ec);
  CHECK(serq::key_words(0)[7] == 0xfe7d8ad7);
  serq::Rng zero(0);
  CHECK(zero.next_u32() == 0xcd2c6f7f);
  CHECK(zero.next_u32() == 0xbb2a3fb2);
  CHECK(zero.next_u32() == 0x8e27697b);
  CHECK(zero.next_u32() == 0xc6017c94);
  CHECK(serq::Rng(1).next_u64() == 17971643333364160609U);
}

void words_may_straddle_a_block() {
  serq::Rng narrow(3);
  serq::Rng wide(3);
  narrow.next_u32();
  wide.next_u32();
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t low = narrow.next_u32();
    const std::uint64_t high = narrow.next_u32();
    CHECK(wide.next_u64() == ((high << 32) | low));
  }
}

void ranges_stay_within_their_ends() {
  constexpr std::uint32_t most32 = std::numeric_limits<std::uint32_t>::max();
  constexpr std::uint64_t most64 = std::numeric_limits<std::uint64_t>::max();
  serq::Rng rng(11);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t six = rng.range_u32(1, 6);
    CHECK(1 <= six && six <= 6);
    CHECK(rng.range_u32(most32 - 1, most32) >= most32 - 1);
    CHECK(rng.range_u64(most64 / 3, most64) >= most64 / 3);
    CHECK(rng.range_u64(7, 7) == 7);
    const double x = rng.range_f64(-3.0, 7.5);
    CHECK(-3.0 <= x && x <= 7.5);
  }
  CHECK(serq::Rng(1).range_u64(0, most64) == 17971643333364160609U);
}

void streams_are_told_apart() {
  serq::Streams streams(1);
  serq::Rng arrivals(1);
  serq::Rng workload(1 ^ 0x9e3779b97f4a7c15);
  CHECK(streams.arrivals.next_u64() == arrivals.next_u64());
  CHECK(streams.workload.next_u64() == workload.next_u64());
  CHECK(streams.session.next_u64() != streams.eviction.next_u64());
}

void laws_take_any_parameter() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  serq::Rng rng(5);
  CHECK(serq::draw_exp(rng, -1.0) <= 0.0);
  CHECK(std::isnan(serq::draw_exp(rng, nan)));
  CHECK(std::isnan(serq::draw_uniform(rng, -infinity, infinity)));
  CHECK(std::isnan(serq::draw_erlang(rng, infinity, 1.0)));
  CHECK(serq::draw_erlang(rng, nan, 1.0) > 0.0);
  CHECK(std::isnan(serq::draw_h2(rng, 1.0, infinity)));
  CHECK(serq::draw_h2(rng, 1.0, 1e300) > 0.0);
  CHECK(serq::draw_bernoulli(rng, nan) == 0.0);
  CHECK(serq::draw_poisson_gap(rng, 0.0) == infinity);
  CHECK(serq::draw_trace_pick(rng, 1) == 0);
}

void means_come_out() {
  constexpr int draws = 200'000;
  serq::Rng rng(17);
  double exponential = 0.0;
  double erlang = 0.0;
  double hyper = 0.0;
  for (int i = 0; i < draws; ++i) {
    exponential += serq::draw_exp(rng, 2.0);
    erlang += serq::draw_erlang(rng, 4.0, 2.0);
    hyper += serq::draw_h2(rng, 2.0, 4.0);
  }
  // Five standard errors: 2 / sqrt(draws) = 0.0045 for the exponential, half and twice that.
  CHECK(std::abs(exponential / draws - 2.0) < 0.0225);
  CHECK(std::abs(erlang / draws - 2.0) < 0.0113);
  CHECK(std::abs(hyper / draws - 2.0) < 0.045);
}

}  // namespace

int main() {
  generator_gives_the_words_of_its_seed();
  words_may_straddle_a_block();
  ranges_stay_within_their_ends();
  streams_are_told_apart();
  laws_take_any_parameter();
  means_come_out();
  return check::failures();
}
