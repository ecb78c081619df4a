// Statistics against values worked out by hand, and against each other. Needs no Python.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "stats/batch_means.hpp"
#include "stats/quantile.hpp"
#include "stats/sample_summary.hpp"
#include "stats/step_stream.hpp"
#include "structures/column.hpp"

namespace {

constexpr double WITHOUT_END = std::numeric_limits<double>::infinity();
constexpr double NOTHING = std::numeric_limits<double>::quiet_NaN();

// Numbers of every size and sign, the same on every machine.
std::vector<double> numbers(std::size_t count) {
  std::vector<double> made;
  std::uint64_t state = 12345;
  for (std::size_t at = 0; at < count; ++at) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double share = static_cast<double>(state >> 11) * 0x1p-53;
    made.push_back((at % 3 == 0 ? -1.0 : 1.0) * std::exp(20.0 * share - 10.0));
  }
  return made;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void a_column_keeps_what_it_is_given() {
  serq::Column<double> column;
  CHECK(column.empty());
  for (int at = 0; at < 1'000'000; ++at) {  // long enough for large pages, and to move them
    column.push_back(at);
  }
  const serq::Column<double> moved = std::move(column);
  CHECK(moved.size() == 1'000'000);
  CHECK(moved.back() == 999'999.0);
  CHECK(serq::sum_of(moved.span()) == 499'999'500'000.0);
}

void a_column_takes_what_another_gave_back() {
  const double* before = nullptr;
  for (int time = 0; time < 3; ++time) {
    serq::Column<double> column;
    for (int at = 0; at < 400'000; ++at) {
      column.push_back(at);
    }
    CHECK(serq::sum_of(column.span()) == 79'999'800'000.0);
#if defined(__linux__)  // elsewhere nothing is kept
    CHECK(before == nullptr || column.data() == before);
#endif
    before = column.data();
  }
}

double quantile_of(const std::vector<double>& values, double q) {
  return serq::quantile(values, q);
}

void quantiles_are_elements() {
  CHECK(std::isnan(quantile_of({}, 0.5)));
  CHECK(quantile_of({3.0, 1.0, 2.0}, 0.5) == 2.0);
  CHECK(quantile_of({3.0, 1.0, 2.0}, 0.0) == 1.0);
  CHECK(std::isnan(quantile_of({3.0, NOTHING, 2.0}, 0.3)));
  CHECK(quantile_of({3.0, NOTHING, 2.0}, 0.4) == 2.0);
  CHECK(!std::signbit(quantile_of({-0.0}, 0.5)));
  const double endless = std::numeric_limits<double>::infinity();
  CHECK(quantile_of({endless, NOTHING, 2.0, -NOTHING, -endless}, 0.6) == -endless);
  CHECK(quantile_of({endless, NOTHING, 2.0, -NOTHING, -endless}, 0.8) == 2.0);
  CHECK(quantile_of({endless, NOTHING, 2.0, -NOTHING, -endless}, 1.0) == endless);
}

// Of either sign, far apart and so near to each other that they begin alike.
void quantiles_are_those_of_the_sorted_values() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values{infinity, -infinity, 0.0, -0.0,
                             std::numeric_limits<double>::denorm_min()};
  for (int at = 0; at < 200; ++at) {
    const double away = (at * 37) % 200 - 100;
    values.insert(values.end(), {away, 1.0 + away * 1e-9, away * 1e200, away * 1e-200});
  }
  std::vector<double> ascending = values;
  std::ranges::sort(ascending);
  for (std::size_t at = 1; at <= ascending.size(); ++at) {
    const double q = (static_cast<double>(at) - 0.5) / static_cast<double>(ascending.size());
    CHECK(quantile_of(values, q) == ascending[at - 1]);
  }
}

void buckets_of_the_extremes() {
  serq::LogHistogram histogram;
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::numeric_limits<double>::max();
  for (const double value : {NOTHING, -WITHOUT_END, -most, -least, 0.0, least, most, WITHOUT_END}) {
    histogram.add(value);
  }
  CHECK(histogram.buckets().size() == 8);
  CHECK(std::isnan(histogram.quantile(0.125)));
  CHECK(histogram.quantile(0.25) == -WITHOUT_END);
  CHECK(histogram.quantile(0.375) == -most);
  CHECK(histogram.quantile(0.5) == -least);
  CHECK(histogram.quantile(0.625) == 0.0);
  CHECK(histogram.quantile(0.75) == least);
  CHECK(histogram.quantile(0.875) == most);
  CHECK(histogram.quantile(1.0) == WITHOUT_END);
}

// The bounds that spare a logarithm send no value into another bucket.
void bounds_agree_with_the_logarithm() {
  for (const double value : numbers(20000)) {
    serq::LogHistogram histogram;
    histogram.add(value);
    const double near = value * 1.009;
    histogram.add(near);
    for (const auto& [key, bucket] : histogram.buckets()) {
      CHECK(serq::key_of(bucket.least) == key);
      CHECK(serq::key_of(bucket.greatest) == key);
    }
  }
}

void a_value_many_times_is_the_value_again_and_again() {
  serq::LogHistogram many;
  serq::LogHistogram single;
  for (const double value : {0.013, 0.1, 7.0, 0.013}) {
    many.add_many(value, 1000);
    for (int at = 0; at < 1000; ++at) {
      single.add(value);
    }
  }
  CHECK(many.mean() == single.mean());
  CHECK(many.quantile(0.5) == single.quantile(0.5));
}

void a_stream_of_few_is_the_summary_of_all() {
  for (const std::size_t count : {0U, 1U, 39U, 40U, 2047U}) {
    const std::vector<double> values = numbers(count);
    serq::SampleStream stream;
    for (const double value : values) {
      stream.add(value);
    }
    const serq::SampleSummary ours = stream.summary();
    const serq::SampleSummary exact = serq::summarise(values, stream.moments);
    CHECK(ours.count == exact.count);
    CHECK(same(ours.mean, exact.mean));
    CHECK(same(ours.cv2, exact.cv2));
    CHECK(same(ours.ci, exact.ci));
    CHECK(same(ours.p99, exact.p99) || std::fabs(ours.p99 / exact.p99 - 1.0) < 0.005);
  }
}

void a_held_quantity_is_the_summary_of_its_changes() {
  std::vector<double> times;
  std::vector<double> values;
  double now = 0.0;
  for (const double value : numbers(5000)) {
    times.push_back(now);
    values.push_back(value);
    now += std::fabs(value) * 1e-3;
  }
  const double end = now + 1.0;
  const serq::StepSummary exact = serq::summarise(times, values, 3.0, end);
  serq::StepStream stream(3.0, 1e9);
  for (std::size_t at = 0; at < times.size(); ++at) {
    stream.add(times[at], values[at]);
  }
  const serq::StepSummary ours = stream.summary(end);
  CHECK(ours.mean == exact.mean);
  CHECK(ours.min == exact.min);
  CHECK(ours.max == exact.max);
  CHECK(std::fabs(ours.ci / exact.ci - 1.0) < 0.5);
}

}  // namespace

int main() {
  a_column_keeps_what_it_is_given();
  a_column_takes_what_another_gave_back();
  quantiles_are_elements();
  quantiles_are_those_of_the_sorted_values();
  buckets_of_the_extremes();
  bounds_agree_with_the_logarithm();
  a_value_many_times_is_the_value_again_and_again();
  a_stream_of_few_is_the_summary_of_all();
  a_held_quantity_is_the_summary_of_its_changes();
  return check::failures();
}
