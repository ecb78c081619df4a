// Twin of src/serq/semantics/stages/ps.py.
#include "stages/ps.hpp"

#include <algorithm>
#include <optional>

#include "expressions.hpp"
#include "machine.hpp"
#include "numbers.hpp"

namespace serq {
namespace {

constexpr std::size_t MOST_KNOWN = 1024;

// Whether the number of jobs is all that the capacity depends on.
bool depends_on_present(const ir::Expression& capacity) {
  return !draws(capacity) && !reads_live_state({capacity}) &&
         std::ranges::none_of(capacity.nodes, [](const ir::Node& node) {
           return node.kind == ir::NodeKind::context &&
                  static_cast<ir::Context>(node.word) != ir::Context::present;
         });
}

double evaluate_share(Ps& ps, const Stage& stage) {
  const double present = real(ps.jobs.size());
  ps.scope[ir::Context::present] = present;
  const Place place{Part::stage_capacity, stage.index, 0, 0};
  return evaluate_at(*ps.capacity, ps.scope, place) / present;
}

[[gnu::noinline]] double another_share(Ps& ps, const Stage& stage) {
  const std::size_t present = ps.jobs.size();
  if (!ps.by_present || present > MOST_KNOWN) {
    return evaluate_share(ps, stage);
  }
  if (ps.known.size() < present) {
    ps.known.resize(present);
  }
  std::optional<double>& known = ps.known[present - 1];
  known = evaluate_share(ps, stage);
  return *known;
}

// What each job has of the capacity.
double share_of(Ps& ps, const Stage& stage) {
  const std::size_t present = ps.jobs.size();
  if (present == 0) {
    return 0.0;
  }
  if (present <= ps.known.size() && ps.known[present - 1]) {
    return *ps.known[present - 1];
  }
  return another_share(ps, stage);
}

// Whether the job of that number has left: its record may be another job by now.
bool gone(const Job& job, std::uint64_t number, const Stage& stage) {
  return job.number != number || job.stage != &stage;
}

}  // namespace

Ps::Ps(Machine& machine, const ir::Expression& is)
    : capacity(&is),
      by_present(depends_on_present(is)),
      scope(machine, machine.streams.session, nullptr, machine.nobody.data()) {}

void start(Machine& machine, Stage& stage, Ps& ps, Job& job) {
  stage.join(machine, job);
  ps.advance(machine.now);
  job.started = machine.now;
  job.mark = ps.virtual_time + job.work;
  ps.jobs.push_back(job);
  ps.tags.push({order(job.mark), job.number, &job});
  machine.unsettle(stage);
}

void remove(Machine& machine, Stage& stage, Ps& ps, Job& job) {
  job.stage = nullptr;
  ps.jobs.remove(job);
  machine.change(stage);
  machine.unsettle(stage);
}

[[gnu::noinline]] void settle(Machine& machine, Stage& stage, Ps& ps) {
  settle_share(machine, stage, ps);
}

[[gnu::always_inline]] inline void settle_share(Machine& machine, Stage& stage, Ps& ps) {
  const double share = share_of(ps, stage);
  ps.advance(machine.now);
  ps.rate = share;
  ++ps.epoch;
  if (ps.rate > 0.0) {
    while (gone(*ps.tags.first_job(), ps.tags.first_number(), stage)) {
      ps.tags.pop();
    }
    Job& first = *ps.tags.first_job();
    ps.first = first.number;
    const double wait = maximum((first.mark - ps.virtual_time) / ps.rate, 0.0);
    machine.events.schedule(machine.now + wait, EventKind::ps_finish, stage.index, ps.epoch,
                            &first, nullptr);
  }
}

std::size_t present(const Ps& ps) { return ps.jobs.size(); }

double work_left(const Ps& ps, double now) {
  const double virtual_now = ps.virtual_time + ps.rate * (now - ps.since);
  double total = -0.0;
  for (const Job* job = ps.jobs.first(); job != nullptr; job = Jobs::after(*job)) {
    total += job->mark - virtual_now;
  }
  return total;
}

[[gnu::always_inline]] inline void do_finish(Machine& machine, Stage& stage, Ps& ps, Job& job,
                                             std::uint64_t epoch) {
  if (epoch != ps.epoch || gone(job, ps.first, stage)) {
    return;
  }
  ps.advance(machine.now);
  ps.jobs.remove(job);
  ps.virtual_time = maximum(ps.virtual_time, job.mark);
  machine.unsettle(stage);
  stage.done(machine, job);
}

}  // namespace serq
