// Which phase is next, against looking at one after the other.
#include "structures/phases.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"
#include "rng.hpp"

namespace {

using serq::Phases;

std::uint64_t distance_one_by_one(const Phases& phases, std::uint64_t phase) {
  const std::uint64_t period = phases.period();
  for (std::uint64_t distance = 1; distance < period; ++distance) {
    if (phases[(phase + distance) % period] != 0) {
      return distance;
    }
  }
  return period;
}

void check_all(const Phases& phases) {
  for (std::uint64_t phase = 0; phase < phases.period(); ++phase) {
    CHECK(phases.distance(phase) == distance_one_by_one(phases, phase));
  }
}

}  // namespace

int main() {
  serq::Rng rng(1);
  for (const std::uint64_t period : {1U, 3U, 16U, 63U, 64U, 65U, 130U}) {
    Phases phases;
    phases.set_period(period);
    check_all(phases);
    std::vector<std::uint64_t> some;
    for (int round = 0; round < 40; ++round) {
      some.push_back(rng.range_u64(0, period - 1));
      phases.add(some.back());
      check_all(phases);
    }
    for (const std::uint64_t phase : some) {
      phases.remove(phase);
      check_all(phases);
    }
  }
  return check::failures();
}
