// Twin of src/serq/semantics/stages/delay.py.
#include "stages/delay.hpp"

#include "machine.hpp"

namespace serq {

void start(Machine& machine, Stage& stage, Delay& delay, Job& job) {
  stage.join(machine, job);
  job.started = machine.now;
  job.mark = machine.now + job.work;
  delay.jobs.push_back(job);
  machine.schedule_finish(EventKind::delay_finish, stage, job);
}

void remove(Machine& machine, Stage& stage, Delay& delay, Job& job) {
  job.stage = nullptr;
  delay.jobs.remove(job);
  machine.change(stage);
}

std::size_t present(const Delay& delay) { return delay.jobs.size(); }

double work_left(const Delay& delay, double now) {
  double total = -0.0;
  for (const Job* job = delay.jobs.first(); job != nullptr; job = Jobs::after(*job)) {
    total += job->mark - now;
  }
  return total;
}

void do_finish(Machine& machine, Stage& stage, Delay& delay, Job& job, std::uint64_t number) {
  if (job.stage != &stage || job.number != number) {
    return;
  }
  delay.jobs.remove(job);
  stage.done(machine, job);
}

}  // namespace serq
