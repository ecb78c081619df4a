// Twin of src/serq/semantics/stages/ps.py.
#include "stages/ps.hpp"

#include <algorithm>

#include "expressions.hpp"
#include "machine.hpp"

namespace serq {
namespace {

bool later(const Tag& a, const Tag& b) {
  return a.tag > b.tag || (a.tag == b.tag && a.number > b.number);
}

void pop_tag(Ps& ps) {
  std::ranges::pop_heap(ps.tags, later);
  ps.tags.pop_back();
}

// Whether the tag's job has left: its record may be another job by now.
bool gone(const Tag& tag, const Stage& stage) {
  return tag.job->number != tag.number || tag.job->stage != &stage;
}

}  // namespace

Ps::Ps(Machine& machine, const ir::Expression& is)
    : capacity(&is),
      scope(machine, machine.streams.session, nullptr, machine.nobody.data()) {}

void start(Machine& machine, Stage& stage, Ps& ps, Job& job) {
  stage.join(machine, job);
  ps.advance(machine.now);
  job.started = machine.now;
  job.mark = ps.virtual_time + job.work;
  ps.jobs.push_back(job);
  ps.tags.push_back({job.mark, job.number, &job});
  std::ranges::push_heap(ps.tags, later);
  machine.unsettle(stage);
}

void remove(Machine& machine, Stage& stage, Ps& ps, Job& job) {
  job.stage = nullptr;
  ps.jobs.remove(job);
  machine.change(stage);
  machine.unsettle(stage);
}

void settle(Machine& machine, Stage& stage, Ps& ps) {
  const auto jobs = static_cast<double>(ps.jobs.size());
  const bool any = !ps.jobs.empty();
  double capacity = 0.0;
  if (any) {
    ps.scope[ir::Context::present] = jobs;
    capacity = evaluate_at(*ps.capacity, ps.scope, {Part::stage_capacity, stage.index, 0, 0});
  }
  ps.advance(machine.now);
  ps.rate = any ? capacity / jobs : 0.0;
  ++ps.epoch;
  if (ps.rate > 0.0) {
    while (gone(ps.tags.front(), stage)) {
      pop_tag(ps);
    }
    const Tag& first = ps.tags.front();
    const double wait = maximum((first.tag - ps.virtual_time) / ps.rate, 0.0);
    Event event;
    event.kind = EventKind::ps_finish;
    event.stage = stage.index;
    event.job = first.job;
    event.told = ps.epoch;
    machine.events.schedule(machine.now + wait, event);
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

void do_finish(Machine& machine, Stage& stage, Ps& ps, Job& job, std::uint64_t epoch) {
  if (epoch != ps.epoch) {
    return;
  }
  ps.advance(machine.now);
  ps.jobs.remove(job);
  ps.virtual_time = maximum(ps.virtual_time, job.mark);
  machine.unsettle(stage);
  stage.done(machine, job);
}

}  // namespace serq
