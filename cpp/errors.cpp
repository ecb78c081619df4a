// Twin of src/serq/semantics/errors.py.
#include "errors.hpp"

namespace serq {

Path path_of(const Place& place) {
  const std::uint32_t a = place.a;
  const std::uint32_t b = place.b;
  switch (place.part) {
    case Part::statement:
      return {"blocks", a, b};
    case Part::units:
      return {"blocks", a, b, "units"};
    case Part::work:
      return {"blocks", a, b, "work"};
    case Part::reuse:
      return {"blocks", a, b, "reuse"};
    case Part::cache:
      return {"blocks", a, b, "cache"};
    case Part::lease_time:
      return {"blocks", a, b, "lease", "time"};
    case Part::hold_units:
      return {"blocks", a, b, "pools", place.c, "units"};
    case Part::hold_reserve:
      return {"blocks", a, b, "pools", place.c, "reserve"};
    case Part::pool_block:
      return {"pools", a, "block"};
    case Part::pool_evict:
      return {"pools", a, "evict"};
    case Part::pool_queue:
      return {"pools", a, "queue"};
    case Part::pool_spill:
      return {"pools", a, "spill"};
    case Part::spill_work:
      return {"pools", a, "spill", "work"};
    case Part::spill_when:
      return {"pools", a, "spill", "when"};
    case Part::stage:
      return {"stages", a};
    case Part::stage_capacity:
      return {"stages", a, "capacity"};
    case Part::gauge:
      return {"gauges", a};
    case Part::arrival:
      return {"arrival"};
    case Part::arrivals:
      return {"arrivals"};
  }
  return {};
}

RunError RunError::placed(const Place& at) const {
  RunError error = *this;
  if (!error.place) {
    error.place = at;
  }
  return error;
}

}  // namespace serq
