// Twin of src/serq/semantics/gauges.py.
#include "gauges.hpp"

#include "expressions.hpp"
#include "machine.hpp"
#include "numbers.hpp"

namespace serq {

Gauges::Gauges(Machine& machine)
    : seen(machine.program.gauges.size()),
      scope_(machine, machine.streams.session, nullptr, machine.nobody.data()) {
  if (!machine.options.samples) {
    const StepStream stream(machine.program.warmup, machine.program.horizon);
    streams.assign(seen.size(), stream);
  }
}

void Gauges::read(double now) {
  begun_ = true;
  const std::vector<ir::Gauge>& gauges = scope_.machine->program.gauges;
  for (std::size_t at = 0; at < gauges.size(); ++at) {
    const Place place{Part::gauge, static_cast<std::uint32_t>(at), 0, 0};
    const double value = evaluate_at(gauges[at].value, scope_, place);
    if (streams.empty()) {
      GaugeMeasurements& shown = seen[at];
      if (shown.values.empty() || order(shown.values.back()) != order(value)) {
        shown.times.push_back(now);
        shown.values.push_back(value);
      }
    } else if (StepStream& stream = streams[at];
               !stream.begun() || order(stream.held()) != order(value)) {
      stream.add(now, value);
    }
  }
}

}  // namespace serq
