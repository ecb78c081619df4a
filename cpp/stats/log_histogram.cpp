// Twin of src/serq/stats/log_histogram.py.
#include "stats/log_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "stats/quantile.hpp"

namespace serq {
namespace {

constexpr double NOTHING = std::numeric_limits<double>::quiet_NaN();
constexpr double MARGIN = 1e-9;
constexpr double LEAST_EXACT = 1e-300;  // below it doubles have fewer digits
constexpr double WITHOUT_END = std::numeric_limits<double>::infinity();

// Asked of the C library at run time: a compiler may round a constant otherwise.
double log_width() {
  static const double width = [] {
    const volatile double one_percent = 0.01;
    return std::log1p(one_percent);
  }();
  return width;
}

// How far the bucket of a positive number lies from that of 1.
std::int64_t distance(double value) {
  return static_cast<std::int64_t>(std::floor(std::log(value) / log_width()));
}

// A little inside the bucket's own, by more than a logarithm can be wrong.
BucketRange make_range(std::int64_t steps) {
  const auto below = static_cast<double>(steps);
  const double low = std::exp(below * log_width()) * (1.0 + MARGIN);
  const double high = std::exp((below + 1.0) * log_width()) * (1.0 - MARGIN);
  return low > LEAST_EXACT && high < WITHOUT_END ? BucketRange{low, high} : BucketRange{};
}

// All histograms share those of the usual buckets, 1e-8 to 1e8.
BucketRange range_of(std::int64_t key) {
  constexpr std::int64_t USUAL = 1900;
  static const std::vector<BucketRange> usual = [] {
    std::vector<BucketRange> made;
    for (std::int64_t steps = -USUAL; steps <= USUAL; ++steps) {
      made.push_back(make_range(steps));
    }
    return made;
  }();
  const std::int64_t steps = (key > 0 ? key : -key) - ONE;
  const BucketRange range = -USUAL <= steps && steps <= USUAL
                            ? usual[static_cast<std::size_t>(steps + USUAL)]
                            : make_range(steps);
  return key > 0 ? range : BucketRange{-range.to, -range.from};
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

std::int64_t key_of(double value) {
  if (0.0 < value && value < WITHOUT_END) {
    return ONE + distance(value);
  }
  if (-WITHOUT_END < value && value < 0.0) {
    return -ONE - distance(-value);
  }
  if (value == 0.0) {
    return 0;
  }
  if (value == WITHOUT_END) {
    return INFINITE;
  }
  return value == -WITHOUT_END ? -INFINITE : NOT_A_NUMBER;
}

double middle_of(std::int64_t key) {
  return std::exp((static_cast<double>(key - ONE) + 0.5) * log_width());
}

double within(std::int64_t key, const Bucket& bucket) {
  switch (key) {
    case 0:
      return 0.0;
    case INFINITE:
      return WITHOUT_END;
    case -INFINITE:
      return -WITHOUT_END;
    case NOT_A_NUMBER:
      return NOTHING;
    default:
      break;
  }
  const double middle = key > 0 ? middle_of(key) : -middle_of(-key);
  const double above = bucket.least > middle ? bucket.least : middle;
  return bucket.greatest < above ? bucket.greatest : above;
}

// As many as there is memory for in the block that an arena has for so many.
void BucketRow::make_room(std::size_t size) {
  if (size > buckets_.capacity()) {
    buckets_.reserve(std::bit_ceil(size * sizeof(Bucket)) / sizeof(Bucket));
  }
}

Bucket& BucketRow::at(std::int64_t key) {
  if (buckets_.empty()) {
    first_ = key;
  }
  if (key < first_) {
    const auto before = static_cast<std::size_t>(first_ - key);
    make_room(buckets_.size() + before);
    buckets_.insert(buckets_.begin(), before, Bucket{});
    first_ = key;
  }
  const auto place = static_cast<std::size_t>(key - first_);
  if (place >= buckets_.size()) {
    make_room(place + 1);
    buckets_.resize(place + 1);
  }
  return buckets_[place];
}

Bucket& LogHistogram::rare_bucket_of(std::int64_t key) {
  if (rare_ == nullptr) {
    rare_ = std::make_unique<Rare>();
  }
  switch (key) {
    case 0:
      return rare_->zeros;
    case INFINITE:
      return rare_->infinite;
    case -INFINITE:
      return rare_->minus_infinite;
    case NOT_A_NUMBER:
      return rare_->not_numbers;
    default:
      return rare_->negative.at(key);
  }
}

Bucket& LogHistogram::bucket_of(std::int64_t key) {
  return key > 0 && key != INFINITE ? positive_.at(key) : rare_bucket_of(key);
}

void LogHistogram::find(double value) {
  if (latest_.count != 0) {
    bucket_of(key_).add(latest_.least, latest_.greatest, latest_.count);
    latest_ = {};
  }
  key_ = key_of(value);
  static_cast<void>(bucket_of(key_));  // there is one from now on
  const bool many = key_ != 0 && std::isfinite(value);
  range_ = many ? range_of(key_) : BucketRange{};  // else the bucket of one value
}

double LogHistogram::mean() const {
  return count_ != 0 ? total_ / static_cast<double>(count_) : NOTHING;
}

// Each bucket as it is with the latest values, in ascending order of the keys.
template <typename Visit>
void LogHistogram::each_until(const Visit& visit) const {
  const auto visits = [&](std::int64_t key, Bucket bucket) {
    if (key == key_) {
      bucket.add(latest_.least, latest_.greatest, latest_.count);
    }
    return bucket.count != 0 && visit(key, bucket);
  };
  if (rare_ == nullptr) {
    static_cast<void>(positive_.stops(visits));
    return;
  }
  static_cast<void>(visits(NOT_A_NUMBER, rare_->not_numbers) ||
                    visits(-INFINITE, rare_->minus_infinite) || rare_->negative.stops(visits) ||
                    visits(0, rare_->zeros) || positive_.stops(visits) ||
                    visits(INFINITE, rare_->infinite));
}

double LogHistogram::quantile(double q) const {
  double found = NOTHING;
  const std::uint64_t wanted = count_ == 0 ? 0 : rank(q, count_);
  std::uint64_t seen = 0;
  each_until([&](std::int64_t key, const Bucket& bucket) {
    seen += bucket.count;
    found = seen >= wanted ? within(key, bucket) : NOTHING;
    return seen >= wanted;
  });
  return found;
}

bool LogHistogram::is_zero() const {
  const std::uint64_t before = rare_ == nullptr ? 0 : rare_->zeros.count;
  return before + (key_ == 0 ? latest_.count : 0) == count_;
}

LogHistogram::Buckets LogHistogram::buckets() const {
  Buckets listed;
  each_until([&](std::int64_t key, const Bucket& bucket) {
    listed.emplace_back(key, bucket);
    return false;
  });
  return listed;
}

}  // namespace serq
