// Twin of src/serq/semantics/errors.py. An error has a kind and the values of its text; the
// text itself is in src/serq/native/errors.py. Places are numbers until somebody asks.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace serq {

// What stands at a place of the IR; the numbers that tell which one.
enum class Part : std::uint8_t {
  statement,      // block, position
  units,          // block, position
  work,           // block, position
  reuse,          // block, position
  cache,          // block, position
  lease_time,     // block, position
  hold_units,     // block, position, pool
  hold_reserve,   // block, position, pool
  pool_block,     // pool
  pool_evict,     // pool
  pool_queue,     // pool
  pool_spill,     // pool
  spill_work,     // pool
  spill_when,     // pool
  stage,          // stage
  stage_capacity, // stage
  gauge,          // gauge
  arrival,
  arrivals,
};

struct Place {
  Part part = Part::arrival;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;

  auto operator<=>(const Place&) const = default;
};

using Path = std::vector<std::variant<std::uint32_t, const char*>>;

Path path_of(const Place& place);

enum class ErrorKind : std::uint8_t {
  guard,            // value
  index_pool,       // value; pool, members
  index_stage,      // value; stage, members
  load,             // units, allocated, position; pool
  outside_grow,     // pool
  outside_load,     // pool
  outside_growing,  // pool
  statements,       // session, statements
  candidates,       // indices
  evictions,        // evictions
  spilled_back,     // pool
  events,           // limit
  not_arrived,      // arrived, wanted
  not_ended,        // alive, wanted
  within_warmup,
  gap,              // value
  sessions,         // alive
};

struct RunError {
  ErrorKind kind = ErrorKind::guard;
  std::vector<double> values;
  std::vector<std::uint64_t> counts;
  std::optional<Place> place;

  RunError placed(const Place& at) const;
};

}  // namespace serq
