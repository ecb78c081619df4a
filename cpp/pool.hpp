// Twin of src/serq/semantics/pool.py. Queues, holders and entries are chains through their
// members; the chain of entries is in the order of their releases.
#pragma once

#include <cstdint>

#include "cache.hpp"
#include "ir/arithmetic.hpp"
#include "ir/nodes.hpp"
#include "session.hpp"
#include "stats/running_moments.hpp"
#include "stats/time_average.hpp"
#include "structures/chain.hpp"
#include "structures/fetch.hpp"
#include "structures/table.hpp"

namespace serq {

struct Machine;
struct Stage;

inline constexpr double SLACK = 1e-9;

// How many hold something of a pool, and wait for it. Those of all pools stand together.
struct PoolCounts {
  std::uint32_t holders = 0;
  std::uint32_t queued = 0;
};

struct alignas(CACHE_LINE) Pool {
  Pool(std::uint32_t number, const ir::Pool& is, PoolCounts& counts);

  void record(double now);
  void restart(double now);

  double round_up(double units) const {
    return has_block ? ceil(units / block) * block : units;
  }

  double round_down(double units) const {
    return has_block ? floor(units / block) * block : units;
  }

  bool has_room(double units) const { return used + units <= cap + SLACK; }

  // Whether so much more takes evictions.
  bool over(double units) const { return used + cached + units > cap + SLACK; }

  void allocate(Machine& machine, double units);
  void give_back(Machine& machine, Holding& holding);

  // In lines: what is held; of what it is made; who holds it, and waits; what is counted last.
  std::uint32_t index;
  bool has_block;
  bool changed = false;
  bool spilling = false;
  bool whole_blocks = false;  // what it holds are whole numbers, evicted in the order of releases
  bool is_tier = false;       // what is evicted elsewhere may be spilled to it
  bool snapshots;  // it evicts by keys, or spills: entries need the attributes as they were
  bool wanted = false;  // `wanted_by` has some, which is far from here
  double cap;
  double block;
  double used = 0.0;
  double cached = 0.0;
  Stage* sleeper = nullptr;  // grows in this pool while it sleeps
  double evicted_units = 0.0;

  TimeAverage used_average;
  TimeAverage cached_average;
  std::uint64_t evicted_entries = 0;
  Stage* engine = nullptr;

  Chain<Entry, &Entry::links> releases;
  Chain<Holding, &Holding::links, std::uint32_t&> holders;
  const std::vector<ir::Expression>* queue_keys;  // of `queue by`; none when there are none
  std::uint64_t admissions = 0;

  TimeAverage queue_average;
  TimeAverage holders_average;
  Chain<Session, &Session::links, std::uint32_t&> queue;
  RunningMean wait;
  std::uint64_t rejected = 0;

  Chain<Session, &Session::links> growers;
  Table<Entry> entries;
  std::vector<Pool*> wanted_by;  // who waits there lacks room here
  std::vector<Pool*> lacking;    // who waits here lacks room there
  std::uint64_t preemptions = 0;
  std::uint64_t spills = 0;
  std::uint64_t stuck = 0;
  std::vector<Stage*> engines;
  const ir::Pool* definition;
};

}  // namespace serq
