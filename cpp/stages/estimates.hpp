// Twin of src/serq/semantics/stages/estimates.py.
#pragma once

#include <cstdint>

#include "ir/arithmetic.hpp"

namespace serq {

struct Estimates {
  static constexpr double WEIGHT = 0.01;
  static constexpr double MOST_LOAD = 0.99;

  void update(double started, double waited, double served) {
    if (seen == 0) {
      service = served;
      wait = waited;
    } else {
      service = moved(service, served);
      wait = moved(wait, waited);
      const double latest = started - last_start;
      gap = seen == 1 ? latest : moved(gap, latest);
    }
    last_start = started;
    ++seen;
  }

  double rate() const { return gap > 0.0 ? 1.0 / gap : 0.0; }
  double load() const { return minimum(rate() * service, MOST_LOAD); }

  std::uint64_t seen = 0;
  double service = 0.0;
  double wait = 0.0;
  double gap = 0.0;
  double last_start = 0.0;

 private:
  static double moved(double average, double value) {
    return (1.0 - WEIGHT) * average + WEIGHT * value;
  }
};

}  // namespace serq
