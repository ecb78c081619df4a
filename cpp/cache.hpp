// Twin of src/serq/semantics/cache.py. Release numbers never go back in time, so the order of
// releases, in which a pool keeps its entries, is also the order of `evict lru`. A session that
// lives knows its entries, whose keys read its attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scope.hpp"
#include "structures/arena.hpp"
#include "structures/chain.hpp"
#include "structures/fetch.hpp"

namespace serq {

struct Machine;
struct Pool;
struct Session;

inline constexpr std::uint64_t FIRST_DEAD = std::uint64_t{1} << 62;

struct alignas(CACHE_LINE) Entry {
  std::uint64_t number = 0;
  Session* session = nullptr;  // whose prefix it is, while it lives and can find it
  std::uint32_t pool = 0;
  bool listed = false;  // in the pool's table
  double size = 0.0;
  double last = 0.0;
  std::uint64_t release = 0;
  Links<Entry> links;  // in the pool
  Links<Entry> own;    // among the session's
  Items<double> snapshot;
};

class Evictor {
 public:
  explicit Evictor(Machine& machine);

  Entry& least(const Pool& pool);
  void set_entry(const Entry& entry, double size);
  const Scope& scope() const { return scope_; }

 private:
  Scope scope_;
  std::vector<std::int64_t> keys_;
  std::vector<std::int64_t> least_keys_;
};

void make_room(Machine& machine, Pool& pool, double units);
void evict(Machine& machine, Pool& pool, Entry& entry);
void do_spill(Machine& machine, Pool& pool, const Entry& entry, double units);
double consume(Machine& machine, Pool& pool, Session& session, std::optional<double> reuse);
void keep(Machine& machine, Pool& pool, Session& session, double units);
void drop(Machine& machine, Pool& pool, const Session& session);

// The session's own prefix in the pool of that number.
Entry* find_entry(const Machine& machine, const Session& session, std::uint32_t pool);
void forget_entries(Session& session);

}  // namespace serq
