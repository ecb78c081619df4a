// Twin of src/serq/semantics/functions.py.
#include "functions.hpp"

#include "machine.hpp"
#include "stages/step.hpp"

namespace serq {

double do_used(const Scope& scope, const Pool& pool) {
  scope.machine->read(pool);
  return pool.used;
}

double do_free(const Scope& scope, const Pool& pool) {
  scope.machine->read(pool);
  return pool.cap - pool.used;
}

double do_cachedin(const Scope& scope, const Pool& pool) {
  if (scope.session == nullptr) {
    return 0.0;
  }
  scope.machine->read(pool);
  const Entry* entry = find_entry(*scope.machine, *scope.session, pool.index);
  return entry != nullptr ? entry->size : 0.0;
}

double do_holders(const Scope& /*scope*/, const Pool& pool) {
  return static_cast<double>(pool.holders.size());
}

double do_queued(const Scope& /*scope*/, const Pool& pool) {
  return static_cast<double>(pool.queue.size());
}

double do_queue(const Scope& /*scope*/, const Stage& stage) {
  return static_cast<double>(present(stage));
}

double do_busy(const Scope& scope, Stage& stage) {
  if (std::holds_alternative<Step>(stage.kind)) {
    catch_up(*scope.machine, stage);
  }
  return static_cast<double>(busy(stage));
}

double do_work(const Scope& scope, Stage& stage) {
  if (std::holds_alternative<Step>(stage.kind)) {
    catch_up(*scope.machine, stage);
  }
  const double total = work_left(stage, scope.machine->now);
  return total != 0.0 ? total : 0.0;
}

double do_budget_left(const Scope& scope, Stage& stage) {
  if (scope.admitting == &stage) {
    return scope.budget_left;
  }
  return budget_left(*scope.machine, stage);
}

double do_est_lambda(const Scope& /*scope*/, const Stage& stage) { return stage.estimates.rate(); }

double do_est_rho(const Scope& /*scope*/, const Stage& stage) { return stage.estimates.load(); }

double do_est_wait(const Scope& /*scope*/, const Stage& stage) { return stage.estimates.wait; }

double do_price(const Scope& /*scope*/, const Stage& stage, double hit, double more) {
  const double miss = hit + more;
  const double rate = stage.estimates.rate();
  const double load = stage.estimates.load();
  const double wait = stage.estimates.wait;
  const double longer = rate * (miss * miss - hit * hit) / (2.0 * (1.0 - load));
  return more + longer + rate * wait * more / (1.0 - load);
}

}  // namespace serq
