// Twin of src/serq/semantics/measure.py.
#include "measure.hpp"

#include <algorithm>

#include "machine.hpp"

namespace serq {

Measurements measure(Machine& machine) {
  const double start = machine.program.warmup;
  const double end = machine.now;
  Measurements measured;
  measured.end = end;
  measured.events = machine.happened;
  measured.arrivals = machine.arrivals;
  measured.ended = machine.ended;
  measured.turns = machine.turns;
  measured.mean_live = machine.live_average.mean(start, end);
  measured.observes = measure_observes(machine);
  measured.gauges = measure_gauges(machine, start, end);
  for (const Stage& stage : machine.stages) {
    measured.stages.push_back(measure_stage(stage, start, end));
  }
  for (const Pool& pool : machine.pools) {
    measured.pools.push_back(measure_pool(pool, start, end));
  }
  measured.zeroed = machine.zeroed;
  return measured;
}

std::vector<ObserveMeasurements> measure_observes(Machine& machine) {
  std::vector<ObserveMeasurements> measured = std::move(machine.observes);
  for (std::size_t at = 0; at < measured.size(); ++at) {
    ObserveMeasurements& seen = measured[at];
    if (machine.options.samples) {
      seen.summary = summarise(seen.samples.span(), seen.moments);
    } else {
      SampleStream& stream = machine.sample_streams[at];
      seen.summary = stream.summary();
      seen.buckets = stream.histogram.buckets();
    }
  }
  return measured;
}

std::vector<GaugeMeasurements> measure_gauges(Machine& machine, double start, double end) {
  std::vector<GaugeMeasurements> measured = std::move(machine.gauges.seen);
  for (std::size_t at = 0; at < measured.size(); ++at) {
    GaugeMeasurements& seen = measured[at];
    seen.summary = machine.options.samples
                       ? summarise(seen.times.span(), seen.values.span(), start, end)
                       : machine.gauges.streams[at].summary(end);
  }
  return measured;
}

StageMeasurements measure_stage(const Stage& stage, double start, double end) {
  StageMeasurements measured;
  measured.mean_number = stage.number_average.mean(start, end);
  measured.utilization = stage.busy_average.mean(start, end);
  measured.completed = stage.completed;
  measured.mean_wait = stage.wait.mean();
  measured.mean_service = stage.service.mean();
  measured.iterations = stage.iterations;
  if (const auto* step = std::get_if<Step>(&stage.kind)) {
    const Composition& composition = step->composition;
    measured.prefill_only = composition.prefill_only.mean(start, end);
    measured.decode_only = composition.decode_only.mean(start, end);
    measured.mixed = composition.mixed.mean(start, end);
    measured.mean_decodes = composition.decodes_average.mean(start, end);
    measured.mean_decode_batch = composition.mean_decode_batch;
    measured.mean_decode_step = composition.mean_decode_step;
    measured.mean_itl = step->gaps.mean();
    measured.itl_p50 = step->gaps.quantile(0.5);
    measured.itl_p99 = step->gaps.quantile(0.99);
  }
  return measured;
}

PoolMeasurements measure_pool(const Pool& pool, double start, double end) {
  PoolMeasurements measured;
  measured.mean_used = pool.used_average.mean(start, end);
  measured.mean_cached = pool.cached_average.mean(start, end);
  measured.mean_queue = pool.queue_average.mean(start, end);
  measured.mean_holders = pool.holders_average.mean(start, end);
  measured.mean_wait = pool.wait.mean();
  measured.admissions = pool.admissions;
  measured.evicted_entries = pool.evicted_entries;
  measured.evicted_units = pool.evicted_units;
  measured.preemptions = pool.preemptions;
  measured.spills = pool.spills;
  measured.rejected = pool.rejected;
  measured.stuck = pool.stuck;
  return measured;
}

double Machine::amount(double value, const Place& place) {
  if (value >= 0.0) {
    return value;
  }
  const auto found = std::ranges::find(zeroed, place, &std::pair<Place, std::uint64_t>::first);
  if (found == zeroed.end()) {
    zeroed.emplace_back(place, 1);
  } else {
    ++found->second;
  }
  return 0.0;
}

}  // namespace serq
