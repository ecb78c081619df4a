// Twin of src/serq/semantics/pool.py.
#include "pool.hpp"

#include "machine.hpp"
#include "steady/refusal.hpp"

namespace serq {

Pool::Pool(std::uint32_t number, const ir::Pool& is, PoolCounts& counts)
    : index(number),
      has_block(is.block.has_value()),
      snapshots(is.evict.has_value() || is.spill.has_value()),
      cap(is.cap),
      block(is.block.value_or(1.0)),
      holders(counts.holders),
      queue_keys(is.queue ? &*is.queue : nullptr),
      queue(counts.queued),
      definition(&is) {}

void Pool::record(double now) {
  changed = false;
  used_average.record(used, now);
  cached_average.record(cached, now);
  queue_average.record(static_cast<double>(queue.size()), now);
  holders_average.record(static_cast<double>(holders.size()), now);
}

void Pool::restart(double now) {
  used_average.restart(now);
  cached_average.restart(now);
  queue_average.restart(now);
  holders_average.restart(now);
}

void Pool::allocate(Machine& machine, double units) {
  used += units;
  machine.change(*this);
}

void Pool::give_back(Machine& machine, Holding& holding) {
  used -= holding.allocated;
  holders.remove(holding);
  machine.change(*this);
  if (wanted) {
    ask_again(machine, *this);
  }
}

}  // namespace serq
