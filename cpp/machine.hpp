// Twin of src/serq/semantics/machine.py. The machine owns every record; a session that has
// ended is used again once the event in which it ended is settled.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "cache.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "gauges.hpp"
#include "ir/nodes.hpp"
#include "measure.hpp"
#include "pool.hpp"
#include "rng.hpp"
#include "session.hpp"
#include "stages/flows.hpp"
#include "stages/stage.hpp"
#include "structures/index_set.hpp"
#include "structures/large_pages.hpp"
#include "structures/slab.hpp"
#include "watch.hpp"

namespace serq {

struct Options {
  std::uint64_t limit_statements = 0;
  std::uint64_t limit_events = 0;
  std::uint64_t limit_sessions = 0;
  std::vector<std::vector<ir::Values>> recorded;  // the sessions of the trace
  std::vector<double> times;                      // and the trace's times of their arrival
  Poll poll;
  bool samples = true;    // keep them; else only what they come to
  bool fast_path = true;  // take many iterations, and weigh many candidates, at once
};

// How a run ended: `error` unless it went well, `now` when it did.
struct Outcome {
  bool partial = false;
  double now = 0.0;
  std::optional<RunError> error;
  bool restarted = false;    // since the order of events at one instant was in doubt
  std::uint64_t slept = 0;  // iterations of engines that were asleep
  Measurements measurements;
};

// A session that is to run, unless it has ended and its record is another's.
struct Ready {
  Session* session = nullptr;
  std::uint64_t serial = 0;
};

struct Machine {
  Machine(const ir::Program& is, const Options& asked);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::uint64_t next_job() { return ++job_number; }
  Job& make_job(std::uint64_t number, Session* session, double work) {
    Job& job = jobs.take();
    job.number = number;
    job.session = session;
    job.stage = nullptr;
    job.work = work;
    job.decoding = false;
    job.growing = nullptr;
    return job;
  }

  void schedule_finish(EventKind kind, const Stage& stage, Job& job) {
    events.schedule(job.mark, kind, stage.index, job.number, &job, nullptr);
  }

  template <typename Owner>
  void change(Owner& owner) {
    if (!owner.changed) {
      owner.changed = true;
      changed(owner);
    }
  }

  // The pool is about to be read, or to be changed: whoever sleeps has grown in it.
  void read(const Pool& pool) {
    if (pool.sleeper != nullptr) {
      catch_up(*this, *pool.sleeper);
    }
  }

  void touch(const Pool& pool) {
    if (pool.sleeper != nullptr) {
      rouse(*this, *pool.sleeper);
    }
  }

  void unsettle(Stage& stage) {
    if (!stage.unsettled) {
      stage.unsettled = true;
      unsettled.push_back(stage.index);
      if (unsettled.size() > 1) {
        move_last_up();
      }
    }
  }

  double amount(double value, const Place& place);
  void expect_sessions(std::uint64_t alive) const {
    if (alive > options.limit_sessions) {
      throw RunError{ErrorKind::sessions, {}, {alive}, Place{Part::arrival, 0, 0, 0}};
    }
  }

  void end(Session& session);
  void give_up_all(Session& session);
  void make_ready(Session& session) {
    ready.emplace_back(&session, session.serial);
  }

  Scope scope_of(Session& session) {
    return {*this, *statement_stream, &session, session.attributes.data()};
  }

  Scope scope_of_nobody() { return {*this, streams.session, nullptr, nobody.data()}; }

  void run_ready();
  void try_all();
  bool settle_stages();
  std::uint32_t first_unsettled();
  void move_first_back();
  void move_last_up();

  // Nothing but its own run and the event that is handled knows of a session that has ended.
  void give_back_gone() {
    while (!gone.empty()) {
      sessions.give_back(*gone.back());
      gone.pop_back();
    }
  }

  void run();
  bool drained() const;
  void check_drained() const;
  void end_instant();
  void record_pools();

  const ir::Program& program;
  const Options& options;
  Streams streams;
  Rng* statement_stream;
  EventQueue events;
  double now = 0.0;
  bool warm;
  PoissonGaps gaps;
  std::vector<Ready> ready;
  std::size_t next_ready = 0;
  IndexSet awaited;  // the pools where somebody is to be asked whether he still has to wait
  std::vector<std::uint32_t> unsettled;  // a heap, the least first
  std::vector<std::uint32_t> later;      // has its turn at the next settling
  std::vector<Pool*> changed_pools;
  std::vector<Stage*> changed_stages;
  Watch watch;

  std::uint64_t job_number = 0;
  std::uint64_t admissions = 0;
  std::uint64_t release_number = 0;
  std::uint64_t dead_entries = 0;
  std::uint64_t leases = 0;
  std::uint64_t stamps = 0;
  bool counting = false;  // some stage may count residents
  bool may_sleep = false;
  bool large = false;  // of more engines than the processor's caches have room for
  bool first_of_instant = true;   // is the event that is handled
  IndexSet sleepers;  // stages
  std::uint64_t slept = 0;
  std::vector<Pool*> set_aside;  // changed pools, while iterations of the past are applied
  double after_horizon;           // the first time that is no longer simulated
  double last_finite;             // no event without end is later
  bool limited;                   // in the number of arrivals
  bool estimates;                 // of stages are wanted

  std::uint64_t happened = 0;
  std::uint64_t live = 0;  // not beside `arrivals`: counted as a pair, it would wait for itself
  std::uint64_t ended = 0;
  std::uint64_t arrivals = 0;
  std::uint64_t turns = 0;
  std::uint64_t preemptions = 0;
  TimeAverage live_average;
  std::vector<ObserveMeasurements> observes;
  std::vector<SampleStream> sample_streams;  // of a run that keeps no samples
  std::vector<std::pair<Place, std::uint64_t>> zeroed;

  Slab<Session> sessions;
  Slab<Hold> holds;
  Slab<Holding> holdings;
  Slab<Entry> entries;
  Slab<Job> jobs;
  std::vector<Session*> gone;  // ended in this event

  std::vector<double> nobody;
  Scope step_scope;  // of the step stage that plans and begins, one at a time
  // Of a step stage: those whose growth is due by itself in the iteration that begins; whose run
  // ends with the one that ends.
  std::vector<Job*> growing;
  std::vector<Job*> finished;
  std::vector<PoolCounts> pool_counts;
  std::vector<Pool, LargePages<Pool>> pools;
  std::vector<Evictor> evictors;
  Flows flows;
  std::vector<Stage, LargePages<Stage>> stages;
  Gauges gauges;

 private:
  void changed(Pool& pool) {
    assert(pool.sleeper == nullptr);
    changed_pools.push_back(&pool);
  }

  void changed(Stage& stage) { changed_stages.push_back(&stage); }
  void run_sessions(bool alone);
  void run_ready_alone();
  void settle();
  bool settle_alone();
  void settle_flows(bool engines);
  bool go_on();
  void handle(const Event& event);

  template <typename Kind>
  void finish(std::uint32_t index, Job& job, std::uint64_t told) {
    Stage& stage = stages[index];
    do_finish(*this, stage, std::get<Kind>(stage.kind), job, told);
  }
};

void do_end_warmup(Machine& machine);
void make_stages(Machine& machine);
void connect(Machine& machine);

Outcome run(const ir::Program& program, const Options& options);

}  // namespace serq
