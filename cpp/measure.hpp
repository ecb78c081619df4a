// Twin of src/serq/semantics/measure.py, with the structs of src/serq/report/measurements.py
// but what the program knows by itself, such as names.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "stats/sample_summary.hpp"
#include "stats/step_function.hpp"
#include "structures/column.hpp"

namespace serq {

struct Machine;
struct Pool;
struct Stage;

struct ObserveMeasurements {
  [[gnu::always_inline]] void add(double value, double time, std::uint64_t session,
                                  std::uint64_t turn) {
    if (samples.full()) {  // as all four are
      samples.grow();
      times.grow();
      sessions.grow();
      turns.grow();
    }
    samples.append(value);
    times.append(time);
    sessions.append(session);
    turns.append(turn);
    moments.add(value);
  }

  Column<double> samples;
  Column<double> times;
  Column<std::uint64_t> sessions;
  Column<std::uint64_t> turns;
  RunningMoments moments;  // of the samples
  SampleSummary summary;
  LogHistogram::Buckets buckets;  // of a run that keeps no samples
};

struct GaugeMeasurements {
  Column<double> times;
  Column<double> values;
  StepSummary summary;
};

struct StageMeasurements {
  double mean_number = 0.0;
  double utilization = 0.0;
  std::uint64_t completed = 0;
  double mean_wait = 0.0;
  double mean_service = 0.0;
  std::uint64_t iterations = 0;
  double prefill_only = 0.0;
  double decode_only = 0.0;
  double mixed = 0.0;
  double mean_decodes = 0.0;
  double mean_decode_batch = std::numeric_limits<double>::quiet_NaN();
  double mean_decode_step = std::numeric_limits<double>::quiet_NaN();
  double mean_itl = std::numeric_limits<double>::quiet_NaN();
  double itl_p50 = std::numeric_limits<double>::quiet_NaN();
  double itl_p99 = std::numeric_limits<double>::quiet_NaN();
};

struct PoolMeasurements {
  double mean_used = 0.0;
  double mean_cached = 0.0;
  double mean_queue = 0.0;
  double mean_holders = 0.0;
  double mean_wait = 0.0;
  std::uint64_t admissions = 0;
  std::uint64_t evicted_entries = 0;
  double evicted_units = 0.0;
  std::uint64_t preemptions = 0;
  std::uint64_t spills = 0;
  std::uint64_t rejected = 0;
  std::uint64_t stuck = 0;
};

struct Measurements {
  double end = 0.0;
  std::uint64_t events = 0;
  std::uint64_t arrivals = 0;
  std::uint64_t ended = 0;
  std::uint64_t turns = 0;
  double mean_live = 0.0;
  std::vector<ObserveMeasurements> observes;
  std::vector<GaugeMeasurements> gauges;
  std::vector<StageMeasurements> stages;
  std::vector<PoolMeasurements> pools;
  std::vector<std::pair<Place, std::uint64_t>> zeroed;
};

Measurements measure(Machine& machine);
std::vector<ObserveMeasurements> measure_observes(Machine& machine);
std::vector<GaugeMeasurements> measure_gauges(Machine& machine, double start, double end);
StageMeasurements measure_stage(const Stage& stage, double start, double end);
PoolMeasurements measure_pool(const Pool& pool, double start, double end);

}  // namespace serq
