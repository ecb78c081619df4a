// Twin of src/serq/stats/step_stream.py.
#include "stats/step_stream.hpp"

#include <algorithm>

#include "stats/batch_means.hpp"
#include "stats/growing_batches.hpp"

namespace serq {
namespace {

constexpr double NARROWEST = 0x1p-40;

}  // namespace

GrowingWindows::GrowingWindows(double start, double longest)
    : start_(start), width_(longest * NARROWEST) {}

double GrowingWindows::boundary() const {
  return start_ + static_cast<double>(areas_.size() + 1) * width_;
}

void GrowingWindows::hold(double value, double since, double until) {
  while (until >= start_ + static_cast<double>(MOST) * width_) {
    widen();
  }
  for (double next = boundary(); until >= next; next = boundary()) {
    areas_.push_back(unfinished_ + value * (next - since));
    unfinished_ = 0.0;
    since = next;
  }
  unfinished_ += value * (until - since);
}

void GrowingWindows::widen() {
  if (areas_.size() % 2 == 1) {
    unfinished_ += areas_.back();
  }
  join(areas_);
  width_ *= 2.0;
}

double GrowingWindows::half_width(double mean) const {
  if (areas_.size() < BATCHES) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return half_width_around(means_of(areas_, width_), mean);
}

StepStream::StepStream(double start, double horizon)
    : start_(start), windows_(start, horizon - start) {}

void StepStream::add(double time, double value) {
  if (begun_) {
    hold(time);
  }
  begun_ = true;
  held_ = value;
  since_ = time;
}

void StepStream::hold(double until) {
  const double since = std::max(since_, start_);
  if (until <= since) {
    return;
  }
  area_ += held_ * (until - since);
  windows_.hold(held_, since, until);
  widen_range(range_, held_);
}

StepSummary StepStream::summary(double end) {
  if (end <= start_ || !begun_) {
    return {};
  }
  hold(end);
  since_ = end;
  StepSummary summary = range_;
  summary.mean = area_ / (end - start_);
  summary.ci = windows_.half_width(summary.mean);
  return summary;
}

}  // namespace serq
