// Twin of src/serq/semantics/stages/composition.py.
#pragma once

#include <cstdint>
#include <limits>

#include "stats/time_average.hpp"

namespace serq {

struct Composition {
  std::uint64_t decodes = 0;
  std::uint64_t prefills = 0;
  std::uint64_t counted = 0;
  double mean_decode_batch = std::numeric_limits<double>::quiet_NaN();
  double mean_decode_step = std::numeric_limits<double>::quiet_NaN();
  TimeAverage prefill_only;
  TimeAverage decode_only;
  TimeAverage mixed;
  TimeAverage decodes_average;

  void begin(std::uint64_t decoding, std::uint64_t prefilling, double cost, bool warm) {
    decodes = decoding;
    prefills = prefilling;
    if (warm && decodes != 0) {
      const auto batch = static_cast<double>(decodes);
      ++counted;
      if (counted == 1) {
        mean_decode_batch = batch;
        mean_decode_step = cost;
      } else {
        mean_decode_batch += (batch - mean_decode_batch) / static_cast<double>(counted);
        mean_decode_step += (cost - mean_decode_step) / static_cast<double>(counted);
      }
    }
  }

  void end() { decodes = prefills = 0; }

  void record(double now) {
    const bool decoding = decodes != 0;
    const bool prefilling = prefills != 0;
    prefill_only.record(prefilling && !decoding ? 1.0 : 0.0, now);
    decode_only.record(decoding && !prefilling ? 1.0 : 0.0, now);
    mixed.record(decoding && prefilling ? 1.0 : 0.0, now);
    decodes_average.record(static_cast<double>(decodes), now);
  }

  void restart(double now) {
    prefill_only.restart(now);
    decode_only.restart(now);
    mixed.restart(now);
    decodes_average.restart(now);
  }
};

}  // namespace serq
