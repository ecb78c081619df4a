// The extension module `serq.native._engine`: the only place that knows both C++ and Python.
// It checks what Python hands over; the engine behind it may then rely on it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>

#include <cmath>
#include <stdexcept>

#include "binding/run.hpp"
#include "rng.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <typename Number>
void check_range(Number low, Number high) {
  if (!(low <= high)) {
    throw nb::value_error("not a range: its low end lies above its high end");
  }
}

void bind_rng(nb::module_& m) {
  using serq::Rng;
  nb::class_<Rng>(m, "Rng", "The generator: `Rng(seed)` with a seed of 64 bits.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("next_u32", &Rng::next_u32)
      .def("next_u64", &Rng::next_u64)
      .def("random_f64", &Rng::random_f64)
      .def(
          "range_f64",
          [](Rng& rng, double low, double high) {
            check_range(low, high);
            if (!std::isfinite(high - low)) {
              throw nb::value_error("not a bounded range");
            }
            return rng.range_f64(low, high);
          },
          "low"_a, "high"_a)
      .def(
          "range_u32",
          [](Rng& rng, std::uint32_t low, std::uint32_t high) {
            check_range(low, high);
            return rng.range_u32(low, high);
          },
          "low"_a, "high"_a)
      .def(
          "range_u64",
          [](Rng& rng, std::uint64_t low, std::uint64_t high) {
            check_range(low, high);
            return rng.range_u64(low, high);
          },
          "low"_a, "high"_a);

  using serq::Streams;
  nb::class_<Streams>(m, "Streams", "The five streams of a run.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def_ro("arrivals", &Streams::arrivals)
      .def_ro("workload", &Streams::workload)
      .def_ro("session", &Streams::session)
      .def_ro("eviction", &Streams::eviction)
      .def_ro("trace", &Streams::trace);

  m.attr("MAX_ERLANG_PHASES") = serq::MAX_ERLANG_PHASES;
  m.def("key_words", &serq::key_words, "seed"_a);
  m.def("draw_exp", &serq::draw_exp, "rng"_a, "mean"_a);
  m.def("draw_det", &serq::draw_det, "rng"_a, "value"_a);
  m.def("draw_uniform", &serq::draw_uniform, "rng"_a, "low"_a, "high"_a);
  m.def("draw_erlang", &serq::draw_erlang, "rng"_a, "k"_a, "mean"_a);
  m.def("draw_h2", &serq::draw_h2, "rng"_a, "mean"_a, "cv2"_a);
  m.def("draw_bernoulli", &serq::draw_bernoulli, "rng"_a, "p"_a);
  m.def("draw_poisson_gap", &serq::draw_poisson_gap, "rng"_a, "rate"_a);
  m.def(
      "draw_trace_pick",
      [](Rng& rng, std::uint32_t sessions) {
        check_range<std::uint32_t>(1, sessions);
        return serq::draw_trace_pick(rng, sessions);
      },
      "rng"_a, "sessions"_a);
}

}  // namespace

NB_MODULE(_engine, m) {
  m.doc() = "The native engine. Import it through `serq.native`.";
  bind_rng(m);
  serq::binding::bind_run(m);
}
