// One call runs a program: what Python gives is read once, the interpreter is let go, and what
// was measured, or the error of the run, is given back as dictionaries.
#include "binding/run.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/typing.h>

#include <exception>
#include <memory>
#include <string>

#include "binding/read_ir.hpp"

namespace nb = nanobind;

namespace serq::binding {
namespace {

constexpr const char* KINDS[] = {
    "guard",        "index_pool",      "index_stage", "load",       "outside_grow",
    "outside_load", "outside_growing", "statements",  "candidates", "evictions",
    "spilled_back", "events",          "not_arrived", "not_ended",  "within_warmup",
    "gap",          "sessions"};

template <typename Item>
nb::list list_of(const std::vector<Item>& items) {
  nb::list list;
  for (const Item& item : items) {
    list.append(item);
  }
  return list;
}

// The column itself, which Python now owns.
template <typename Item>
nb::object view_of(Column<Item>& items) {
  static const Item nothing{};
  auto kept = std::make_unique<Column<Item>>(std::move(items));
  const Item* data = kept->empty() ? &nothing : kept->data();
  const std::size_t size = kept->size();
  nb::capsule owner(kept.get(), [](void* column) noexcept {
    const std::unique_ptr<Column<Item>> freed(static_cast<Column<Item>*>(column));
  });
  static_cast<void>(kept.release());
  using View = nb::ndarray<nb::memview, const Item, nb::ndim<1>>;
  return nb::cast(View(data, {size}, owner));
}

nb::dict sample_summary_dict(const SampleSummary& summary) {
  nb::dict dict;
  dict["count"] = summary.count;
  dict["mean"] = summary.mean;
  dict["cv2"] = summary.cv2;
  dict["ci"] = summary.ci;
  dict["p99"] = summary.p99;
  dict["all_zero"] = summary.all_zero;
  return dict;
}

nb::dict step_summary_dict(const StepSummary& summary) {
  nb::dict dict;
  dict["mean"] = summary.mean;
  dict["ci"] = summary.ci;
  dict["min"] = summary.min;
  dict["max"] = summary.max;
  return dict;
}

nb::list list_of(const LogHistogram::Buckets& buckets) {
  nb::list list;
  for (const auto& [key, bucket] : buckets) {
    list.append(nb::make_tuple(key, bucket.count, bucket.least, bucket.greatest));
  }
  return list;
}

nb::tuple path_tuple(const Place& place) {
  nb::list parts;
  for (const auto& part : path_of(place)) {
    std::visit([&](const auto& name) { parts.append(name); }, part);
  }
  return nb::tuple(parts);
}

nb::dict error_dict(const RunError& error, double now) {
  nb::dict dict;
  dict["kind"] = KINDS[static_cast<std::size_t>(error.kind)];
  dict["values"] = list_of(error.values);
  dict["counts"] = list_of(error.counts);
  dict["path"] = error.place ? path_tuple(*error.place) : nb::make_tuple();
  dict["now"] = now;
  return dict;
}

nb::dict observe_dict(ObserveMeasurements& seen) {
  nb::dict dict;
  dict["samples"] = view_of(seen.samples);
  dict["times"] = view_of(seen.times);
  dict["sessions"] = view_of(seen.sessions);
  dict["turns"] = view_of(seen.turns);
  dict["summary"] = sample_summary_dict(seen.summary);
  dict["buckets"] = list_of(seen.buckets);
  return dict;
}

nb::dict gauge_dict(GaugeMeasurements& seen) {
  nb::dict dict;
  dict["times"] = view_of(seen.times);
  dict["values"] = view_of(seen.values);
  dict["summary"] = step_summary_dict(seen.summary);
  return dict;
}

// A number of each row.
template <typename Row, typename Item>
nb::object column_of(const std::vector<Row>& rows, Item Row::* field) {
  Column<Item> column;
  for (const Row& row : rows) {
    column.push_back(row.*field);
  }
  return view_of(column);
}

nb::dict stage_columns(const std::vector<StageMeasurements>& stages) {
  using Stage = StageMeasurements;
  nb::dict dict;
  dict["mean_number"] = column_of(stages, &Stage::mean_number);
  dict["utilization"] = column_of(stages, &Stage::utilization);
  dict["completed"] = column_of(stages, &Stage::completed);
  dict["mean_wait"] = column_of(stages, &Stage::mean_wait);
  dict["mean_service"] = column_of(stages, &Stage::mean_service);
  dict["iterations"] = column_of(stages, &Stage::iterations);
  dict["prefill_only"] = column_of(stages, &Stage::prefill_only);
  dict["decode_only"] = column_of(stages, &Stage::decode_only);
  dict["mixed"] = column_of(stages, &Stage::mixed);
  dict["mean_decodes"] = column_of(stages, &Stage::mean_decodes);
  dict["mean_decode_batch"] = column_of(stages, &Stage::mean_decode_batch);
  dict["mean_decode_step"] = column_of(stages, &Stage::mean_decode_step);
  dict["mean_itl"] = column_of(stages, &Stage::mean_itl);
  dict["itl_p50"] = column_of(stages, &Stage::itl_p50);
  dict["itl_p99"] = column_of(stages, &Stage::itl_p99);
  return dict;
}

nb::dict pool_columns(const std::vector<PoolMeasurements>& pools) {
  using Pool = PoolMeasurements;
  nb::dict dict;
  dict["mean_used"] = column_of(pools, &Pool::mean_used);
  dict["mean_cached"] = column_of(pools, &Pool::mean_cached);
  dict["mean_queue"] = column_of(pools, &Pool::mean_queue);
  dict["mean_holders"] = column_of(pools, &Pool::mean_holders);
  dict["mean_wait"] = column_of(pools, &Pool::mean_wait);
  dict["admissions"] = column_of(pools, &Pool::admissions);
  dict["evicted_entries"] = column_of(pools, &Pool::evicted_entries);
  dict["evicted_units"] = column_of(pools, &Pool::evicted_units);
  dict["preemptions"] = column_of(pools, &Pool::preemptions);
  dict["spills"] = column_of(pools, &Pool::spills);
  dict["rejected"] = column_of(pools, &Pool::rejected);
  dict["stuck"] = column_of(pools, &Pool::stuck);
  return dict;
}

template <typename Item>
nb::list dicts_of(std::vector<Item>& items, nb::dict (*dict_of)(Item&)) {
  nb::list list;
  for (Item& item : items) {
    list.append(dict_of(item));
  }
  return list;
}

nb::dict measured_dict(Measurements& measured) {
  nb::dict dict;
  dict["end"] = measured.end;
  dict["events"] = measured.events;
  dict["arrivals"] = measured.arrivals;
  dict["ended"] = measured.ended;
  dict["turns"] = measured.turns;
  dict["mean_live"] = measured.mean_live;
  dict["observes"] = dicts_of(measured.observes, observe_dict);
  dict["gauges"] = dicts_of(measured.gauges, gauge_dict);
  dict["stages"] = stage_columns(measured.stages);
  dict["pools"] = pool_columns(measured.pools);
  nb::list zeroed;
  for (const auto& [place, count] : measured.zeroed) {
    zeroed.append(nb::make_tuple(path_tuple(place), count));
  }
  dict["zeroed"] = zeroed;
  return dict;
}

// Asks Python in the middle of a run; an exception waits until the engine has returned.
struct Poller {
  nb::callable ask;
  std::exception_ptr raised;

  bool operator()(const Progress& progress) {
    const nb::gil_scoped_acquire locked;
    try {
      if (PyErr_CheckSignals() != 0) {
        throw nb::python_error();
      }
      ask(progress.now, progress.events, progress.live);
      return true;
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) {
        raised = std::current_exception();
      }
      return false;
    }
  }
};

using Ask = nb::typed<nb::callable, void(double, std::uint64_t, std::uint64_t)>;
using Answer = nb::typed<nb::dict, nb::str, nb::any>;

Answer run_program(const nb::handle& program, const nb::handle& recorded,
                   std::uint64_t limit_statements, std::uint64_t limit_events,
                   std::uint64_t limit_sessions, Ask ask, bool samples, bool fast_path,
                   std::vector<double> times) {
  const ir::Program read = read_program(program);
  Options options;
  options.limit_statements = limit_statements;
  options.limit_events = limit_events;
  options.limit_sessions = limit_sessions;
  options.samples = samples;
  options.fast_path = fast_path;
  options.times = std::move(times);
  for (const nb::handle session : recorded) {
    std::vector<ir::Values>& turns = options.recorded.emplace_back();
    for (const nb::handle turn : session) {
      turns.push_back(read_values(turn));
    }
  }
  Poller poller{std::move(ask), nullptr};
  options.poll = [&poller](const Progress& progress) { return poller(progress); };
  Outcome outcome;
  {
    const nb::gil_scoped_release unlocked;
    outcome = run(read, options);
  }
  if (poller.raised) {
    std::rethrow_exception(poller.raised);
  }
  Answer dict;
  dict["partial"] = outcome.partial;
  dict["slept"] = outcome.slept;
  dict["restarted"] = outcome.restarted;
  dict["error"] = outcome.error ? nb::object(error_dict(*outcome.error, outcome.now)) : nb::none();
  dict["measured"] = outcome.error ? nb::none() : nb::object(measured_dict(outcome.measurements));
  return dict;
}

}  // namespace

void bind_run(nb::module_& m) {
  using namespace nb::literals;
  m.def("run_program", &run_program, "program"_a, "recorded"_a, "limit_statements"_a,
        "limit_events"_a, "limit_sessions"_a, "ask"_a, "samples"_a, "fast_path"_a,
        "times"_a = std::vector<double>{},
        "Run a program of `serq.ir.nodes` and return what was measured, or the error of the run.");
}

}  // namespace serq::binding
