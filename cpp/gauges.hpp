// Twin of src/serq/semantics/gauges.py.
#pragma once

#include <vector>

#include "measure.hpp"
#include "scope.hpp"

namespace serq {

class Gauges {
 public:
  explicit Gauges(Machine& machine);

  void read(double now);

  bool begun() const { return begun_; }
  bool empty() const { return seen_.empty(); }
  const std::vector<GaugeMeasurements>& seen() const { return seen_; }

 private:
  bool begun_ = false;
  Scope scope_;
  std::vector<GaugeMeasurements> seen_;
};

}  // namespace serq
