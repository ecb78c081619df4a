// Twin of src/serq/semantics/stages/fifo.py.
#include "stages/fifo.hpp"

#include "machine.hpp"

namespace serq {

[[gnu::always_inline]] inline void start(Machine& machine, Stage& stage, Fifo& fifo, Job& job) {
  stage.join(machine, job);
  if (fifo.served.size() < fifo.servers) {
    serve(machine, stage, fifo, job);
  } else {
    job.served = false;
    fifo.waiting.push_back(job);
  }
}

[[gnu::always_inline]] inline void serve(Machine& machine, Stage& stage, Fifo& fifo, Job& job) {
  job.started = machine.now;
  job.mark = machine.now + job.work;
  job.served = true;
  fifo.served.push_back(job);
  machine.schedule_finish(EventKind::fifo_finish, stage, job);
}

[[gnu::always_inline]] inline void fill(Machine& machine, Stage& stage, Fifo& fifo) {
  while (!fifo.waiting.empty() && fifo.served.size() < fifo.servers) {
    Job& job = *fifo.waiting.first();
    fifo.waiting.remove(job);
    serve(machine, stage, fifo, job);
  }
}

void remove(Machine& machine, Stage& stage, Fifo& fifo, Job& job) {
  job.stage = nullptr;
  machine.change(stage);
  if (job.served) {
    fifo.served.remove(job);
    fill(machine, stage, fifo);
  } else {
    fifo.waiting.remove(job);
  }
}

std::size_t present(const Fifo& fifo) { return fifo.served.size() + fifo.waiting.size(); }

double work_left(const Fifo& fifo, double now) {
  double total = -0.0;
  for (const Job* job = fifo.served.first(); job != nullptr; job = Jobs::after(*job)) {
    total += job->mark - now;
  }
  for (const Job* job = fifo.waiting.first(); job != nullptr; job = Jobs::after(*job)) {
    total += job->work;
  }
  return total;
}

[[gnu::always_inline]] inline void do_finish(Machine& machine, Stage& stage, Fifo& fifo, Job& job,
                                             std::uint64_t number) {
  if (job.stage != &stage || job.number != number) {
    return;
  }
  fifo.served.remove(job);
  stage.done(machine, job);
  fill(machine, stage, fifo);
}

}  // namespace serq
