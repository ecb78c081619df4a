// Twin of src/serq/stats/gap_histogram.py.
#include "stats/gap_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace serq {
namespace {

constexpr std::int64_t NOT_POSITIVE = -(std::int64_t{1} << 62);
constexpr double NOTHING = std::numeric_limits<double>::quiet_NaN();

// Asked of the C library at run time: a compiler may round a constant otherwise.
double log_width() {
  static const double width = [] {
    const volatile double one_percent = 0.01;
    return std::log1p(one_percent);
  }();
  return width;
}

std::uint64_t rank(double q, std::uint64_t count) {
  const double wanted = std::ceil(q * static_cast<double>(count));
  return std::clamp(static_cast<std::uint64_t>(wanted), std::uint64_t{1}, count);
}

}  // namespace

// Within a binade each addition rounds to the same multiple of its spacing, unless the value
// lies in the middle between two: then the parity of the sum decides, and they are done singly.
double sum_of_many(double total, double value, std::uint64_t times) {
  while (times > 4 && total > 0.0 && value > 0.0) {
    const double sum = total + value;
    const double step = sum - total;
    const double rest = value - step;
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(total) >> 52;
    if (exponent <= 53 || exponent >= 2046 || times >= (1U << 20)) {
      break;
    }
    const auto top = std::bit_cast<double>((exponent + 1) << 52);
    const auto half_spacing = std::bit_cast<double>((exponent - 53) << 52);
    const auto count = static_cast<double>(times);
    if (std::fabs(rest) < half_spacing && step < top && total + 2.0 * count * step < top) {
      return total + count * step;
    }
    total = sum;
    --times;
  }
  for (; times != 0; --times) {
    total += value;
  }
  return total;
}

void GapHistogram::find(double gap) {
  const bool positive = 0.0 < gap && gap < std::numeric_limits<double>::infinity();
  const std::int64_t key =
      positive ? static_cast<std::int64_t>(std::floor(std::log(gap) / log_width()))
               : NOT_POSITIVE;
  last_ = &buckets_[key];
  last_gap_ = gap;
  if (last_->count == 0) {
    last_->least = last_->greatest = gap;
  } else if (gap < last_->least) {
    last_->least = gap;
  } else if (gap > last_->greatest) {
    last_->greatest = gap;
  }
}

double GapHistogram::mean() const {
  return count_ != 0 ? total_ / static_cast<double>(count_) : NOTHING;
}

double GapHistogram::quantile(double q) const {
  if (count_ == 0) {
    return NOTHING;
  }
  const std::uint64_t wanted = rank(q, count_);
  std::uint64_t seen = 0;
  for (const auto& [key, bucket] : buckets_) {
    seen += bucket.count;
    if (seen >= wanted) {
      const double middle = std::exp((static_cast<double>(key) + 0.5) * log_width());
      const double above = bucket.least > middle ? bucket.least : middle;
      return bucket.greatest < above ? bucket.greatest : above;
    }
  }
  return NOTHING;
}

}  // namespace serq
