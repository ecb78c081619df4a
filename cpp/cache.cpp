// Twin of src/serq/semantics/cache.py.
#include "cache.hpp"

#include <cassert>

#include "expressions.hpp"
#include "ir/arithmetic.hpp"
#include "machine.hpp"
#include "numbers.hpp"

namespace serq {
namespace {

constexpr std::size_t FEW_ENTRIES = 8;  // of a session: one is found by going along them

// A tier's entries are found by their numbers, and those of a session that has many. The tables
// of other pools stay empty.
void list(Machine& machine, Entry& entry) {
  if (!entry.listed) {
    entry.listed = true;
    machine.pools[entry.pool].entries.insert(entry);
  }
}

void list_all(Machine& machine, const Session& session) {
  for (Entry* entry = session.entries.first(); entry != nullptr;
       entry = decltype(session.entries)::after(*entry)) {
    list(machine, *entry);
  }
}

void strike_out(Pool& pool, Entry& entry) {
  if (entry.listed) {
    pool.entries.remove(entry);
    entry.listed = false;
  }
}

// A record of the pool's cache, released after all others.
Entry& add_entry(Machine& machine, Pool& pool, std::uint64_t number, Session* session) {
  Entry& entry = machine.entries.take();
  entry.number = number;
  entry.session = session;
  entry.pool = pool.index;
  assert(!entry.listed);
  pool.releases.push_back(entry);
  if (session != nullptr) {
    session->entries.push_back(entry);
    if (session->entries.size() == FEW_ENTRIES + 1) {
      list_all(machine, *session);
    }
  }
  if (pool.is_tier || (session != nullptr && session->entries.size() > FEW_ENTRIES)) {
    list(machine, entry);
  }
  return entry;
}

// Nobody can find it; the record remains.
void take_out(Pool& pool, Entry& entry) {
  strike_out(pool, entry);
  pool.releases.remove(entry);
  if (entry.session != nullptr) {
    entry.session->entries.remove(entry);
  }
}

void remove_entry(Machine& machine, Pool& pool, Entry& entry) {
  take_out(pool, entry);
  machine.entries.give_back(entry);
}

// So many evictions of a block, all of this entry, the room for `units` takes at least; the
// arithmetic is exact.
std::uint64_t blocks_over(const Pool& pool, const Entry& entry, double units) {
  if (!(pool.used + pool.cached + units < ALL_WHOLE)) {
    return 1;
  }
  const double excess = pool.used + pool.cached + units - (pool.cap + SLACK);
  const double blocks = minimum(floor(excess / pool.block), entry.size / pool.block);
  return blocks > 1.0 ? static_cast<std::uint64_t>(blocks) : 1;
}

// The same as so many evictions that leave something of the entry.
void shorten(Pool& pool, Entry& entry, std::uint64_t blocks) {
  const double units = static_cast<double>(blocks) * pool.block;
  entry.size -= units;
  pool.cached -= units;
  pool.evicted_units += units;
}

// Where the room comes out of the first entry, and something is left of it. False when nothing
// was done.
bool shorten_first(const Machine& machine, Pool& pool, double units) {
  Entry* const entry = pool.releases.first();
  const double taken = pool.used + pool.cached + units;
  if (!pool.whole_blocks || entry == nullptr || !(taken < ALL_WHOLE)) {
    return false;
  }
  const double most = pool.cap + SLACK;
  double blocks = 1.0;
  if (taken - pool.block > most) {
    blocks = ceil((taken - most) / pool.block);
    if (taken - (blocks - 1.0) * pool.block <= most || taken - blocks * pool.block > most) {
      return false;
    }
  }
  if (!(entry->size > blocks * pool.block) ||
      !(blocks <= static_cast<double>(machine.options.limit_events))) {
    return false;
  }
  shorten(pool, *entry, static_cast<std::uint64_t>(blocks));
  return true;
}

void take_snapshot(Entry& entry, const Items<double>& attributes, bool wanted) {
  entry.snapshot.clear();
  if (wanted) {
    entry.snapshot = attributes;
  }
}

[[gnu::noinline]] void evict_for(Machine& machine, Pool& pool, double units) {
  std::uint64_t evictions = 0;
  while (!pool.releases.empty() && pool.over(units)) {
    Entry& entry = machine.evictors[pool.index].least(pool);
    const std::uint64_t blocks = pool.whole_blocks ? blocks_over(pool, entry, units) : 1;
    if (blocks > 1) {
      shorten(pool, entry, blocks - 1);
    }
    evict(machine, pool, entry);
    evictions += blocks;
    if (evictions > machine.options.limit_events) {
      throw RunError{ErrorKind::evictions, {}, {machine.options.limit_events + 1},
                     Place{Part::pool_block, pool.index, 0, 0}};
    }
  }
}

}  // namespace

Evictor::Evictor(Machine& machine)
    : scope_(machine, machine.streams.eviction, nullptr, machine.nobody.data()) {}

Entry& Evictor::least(const Pool& pool) {
  Entry* least = pool.releases.first();
  if (!pool.snapshots || !pool.definition->evict) {
    return *least;
  }
  for (Entry* entry = least; entry != nullptr; entry = pool.releases.after(*entry)) {
    set_entry(*entry, entry->size);
    keys_.clear();
    for (const ir::Expression& key : *pool.definition->evict) {
      const Place place{Part::pool_evict, pool.index, 0, 0};
      keys_.push_back(order(evaluate_at(key, scope_, place)));
    }
    if (entry == pool.releases.first() || keys_ < least_keys_) {
      least = entry;
      least_keys_.swap(keys_);
    }
  }
  return *least;
}

void Evictor::set_entry(const Entry& entry, double size) {
  Session* const session = entry.session;
  scope_.session = session;
  scope_.attributes = session == nullptr ? entry.snapshot.data() : session->attributes.data();
  scope_[ir::Context::size] = size;
  scope_[ir::Context::age] = scope_.machine->now - entry.last;
  scope_[ir::Context::last] = entry.last;
  scope_[ir::Context::waiting] =
      session != nullptr && session->status == Status::queued ? 1.0 : 0.0;
}

void make_room(Machine& machine, Pool& pool, double units) {
  machine.touch(pool);
  if (!pool.over(units)) {
    return;
  }
  machine.change(pool);
  if (!shorten_first(machine, pool, units)) {
    evict_for(machine, pool, units);
  }
}

void evict(Machine& machine, Pool& pool, Entry& entry) {
  const double units = pool.has_block ? minimum(pool.block, entry.size) : entry.size;
  entry.size -= units;
  pool.cached -= units;
  pool.evicted_units += units;
  const bool gone = entry.size <= SLACK;
  if (gone) {
    ++pool.evicted_entries;
    take_out(pool, entry);
  }
  if (pool.snapshots && pool.definition->spill) {
    do_spill(machine, pool, entry, units);
  }
  if (gone) {
    machine.entries.give_back(entry);
  }
}

void do_spill(Machine& machine, Pool& pool, const Entry& entry, double units) {
  const ir::Spill& spill = *pool.definition->spill;
  Evictor& evictor = machine.evictors[pool.index];
  evictor.set_entry(entry, units);
  const Scope& scope = evictor.scope();
  if (evaluate_at(spill.when, scope, {Part::spill_when, pool.index, 0, 0}) == 0.0) {
    return;
  }
  const Place place{Part::spill_work, pool.index, 0, 0};
  const double work = machine.amount(evaluate_at(spill.work, scope, place), place);
  Pool& tier = machine.pools[spill.to];
  pool.spilling = true;
  if (tier.spilling) {
    throw RunError{ErrorKind::spilled_back, {}, {tier.index},
                   Place{Part::pool_spill, pool.index, 0, 0}};
  }
  make_room(machine, tier, 0.0);
  pool.spilling = false;
  ++machine.release_number;
  Entry* copy = tier.entries.find(entry.number);
  if (copy == nullptr) {
    copy = &add_entry(machine, tier, entry.number, entry.session);
    copy->size = 0.0;
    copy->snapshot = entry.snapshot;
  } else {
    tier.releases.remove(*copy);
    tier.releases.push_back(*copy);
  }
  copy->size += units;
  copy->last = machine.now;
  copy->release = machine.release_number;
  tier.cached += units;
  machine.change(tier);
  ++pool.spills;
  const std::uint64_t number = machine.next_job();
  if (work > 0.0) {
    start(machine, machine.stages[spill.via], machine.make_job(number, nullptr, work));
  }
}

double consume(Machine& machine, Pool& pool, Session& session, std::optional<double> reuse) {
  machine.touch(pool);
  Entry* entry = find_entry(machine, session, pool.index);
  if (entry == nullptr) {
    return 0.0;
  }
  machine.change(pool);
  pool.cached -= entry->size;
  double own = entry->size;
  if (!reuse || !(own > pool.round_down(*reuse))) {
    remove_entry(machine, pool, *entry);
    return own;
  }
  own = pool.round_down(*reuse);
  // The rest stays where the entry was in the order of releases, and nobody can find it.
  strike_out(pool, *entry);
  entry->number = FIRST_DEAD + machine.dead_entries;
  ++machine.dead_entries;
  session.entries.remove(*entry);
  entry->session = nullptr;
  entry->size -= own;
  take_snapshot(*entry, session.attributes, pool.snapshots);
  pool.cached += entry->size;
  return own;
}

void keep(Machine& machine, Pool& pool, Session& session, double units) {
  machine.touch(pool);
  units = pool.round_down(units);
  if (!(units > 0.0)) {
    return;
  }
  drop(machine, pool, session);
  ++machine.release_number;
  Entry& entry = add_entry(machine, pool, session.serial, &session);
  entry.size = units;
  entry.last = machine.now;
  entry.release = machine.release_number;
  take_snapshot(entry, session.attributes, pool.snapshots);
  pool.cached += units;
  machine.change(pool);
}

void drop(Machine& machine, Pool& pool, const Session& session) {
  machine.touch(pool);
  if (Entry* entry = find_entry(machine, session, pool.index)) {
    pool.cached -= entry->size;
    remove_entry(machine, pool, *entry);
    machine.change(pool);
  }
}

Entry* find_entry(const Machine& machine, const Session& session, std::uint32_t pool) {
  if (session.entries.size() > FEW_ENTRIES) {
    return machine.pools[pool].entries.find(session.serial);
  }
  Entry* entry = session.entries.first();
  while (entry != nullptr && entry->pool != pool) {
    entry = decltype(session.entries)::after(*entry);
  }
  return entry;
}

void forget_entries(Session& session) {
  while (Entry* entry = session.entries.first()) {
    session.entries.remove(*entry);
    entry->session = nullptr;
  }
}

}  // namespace serq
