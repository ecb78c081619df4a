// Twin of src/serq/semantics/functions.py.
#pragma once

#include "scope.hpp"

namespace serq {

struct Pool;
struct Stage;

double do_used(const Scope& scope, const Pool& pool);
double do_free(const Scope& scope, const Pool& pool);
double do_cachedin(const Scope& scope, const Pool& pool);
double do_holders(const Scope& scope, const Pool& pool);
double do_queued(const Scope& scope, const Pool& pool);
double do_queue(const Scope& scope, const Stage& stage);
double do_busy(const Scope& scope, Stage& stage);
double do_work(const Scope& scope, Stage& stage);
double do_budget_left(const Scope& scope, Stage& stage);
double do_est_lambda(const Scope& scope, const Stage& stage);
double do_est_rho(const Scope& scope, const Stage& stage);
double do_est_wait(const Scope& scope, const Stage& stage);
double do_price(const Scope& scope, const Stage& stage, double hit, double more);

}  // namespace serq
