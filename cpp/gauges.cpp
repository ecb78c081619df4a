// Twin of src/serq/semantics/gauges.py.
#include "gauges.hpp"

#include "expressions.hpp"
#include "machine.hpp"
#include "numbers.hpp"

namespace serq {

Gauges::Gauges(Machine& machine)
    : scope_(machine, machine.streams.session, nullptr, machine.nobody.data()),
      seen_(machine.program.gauges.size()) {}

void Gauges::read(double now) {
  begun_ = true;
  const std::vector<ir::Gauge>& gauges = scope_.machine->program.gauges;
  for (std::size_t at = 0; at < gauges.size(); ++at) {
    const Place place{Part::gauge, static_cast<std::uint32_t>(at), 0, 0};
    const double value = evaluate_at(gauges[at].value, scope_, place);
    GaugeMeasurements& seen = seen_[at];
    if (seen.values.empty() || order(seen.values.back()) != order(value)) {
      seen.times.push_back(now);
      seen.values.push_back(value);
    }
  }
}

}  // namespace serq
