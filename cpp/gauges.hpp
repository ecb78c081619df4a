// Twin of src/serq/semantics/gauges.py.
#pragma once

#include <vector>

#include "measure.hpp"
#include "scope.hpp"
#include "stats/step_stream.hpp"

namespace serq {

class Gauges {
 public:
  explicit Gauges(Machine& machine);

  void read(double now);

  bool begun() const { return begun_; }
  bool empty() const { return seen.empty(); }

  std::vector<GaugeMeasurements> seen;
  std::vector<StepStream> streams;  // of a run that keeps no samples

 private:
  bool begun_ = false;
  Scope scope_;
};

}  // namespace serq
