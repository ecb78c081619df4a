// Twin of src/serq/stats/step_stream.py.
#pragma once

#include <limits>
#include <vector>

#include "stats/step_function.hpp"

namespace serq {

class GrowingWindows {
 public:
  GrowingWindows(double start, double longest);

  void hold(double value, double since, double until);
  void widen();
  double half_width(double mean) const;

 private:
  double boundary() const;

  double start_;
  double width_;
  std::vector<double> areas_;
  double unfinished_ = 0.0;
};

class StepStream {
 public:
  StepStream(double start, double horizon);

  void add(double time, double value);
  StepSummary summary(double end);

  bool begun() const { return begun_; }
  double held() const { return held_; }

 private:
  void hold(double until);

  double start_;
  bool begun_ = false;
  double held_ = std::numeric_limits<double>::quiet_NaN();
  double since_ = 0.0;
  double area_ = 0.0;
  StepSummary range_;
  GrowingWindows windows_;
};

}  // namespace serq
