// Twin of src/serq/semantics/stages/stage.py. A stage is what all kinds have and a variant of
// what each kind has; the functions here go to the kind's own. A job is of any kind too.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "ir/nodes.hpp"
#include "scope.hpp"
#include "session.hpp"
#include "stages/composition.hpp"
#include "stages/estimates.hpp"
#include "stages/flows.hpp"
#include "stages/planning.hpp"
#include "steady/steady.hpp"
#include "stats/log_histogram.hpp"
#include "stats/running_moments.hpp"
#include "stats/time_average.hpp"
#include "structures/chain.hpp"

namespace serq {

struct Machine;
struct Pool;
struct Stage;

// What a job is at a step stage; at others it is unset.
struct StepJob {
  std::uint64_t planned = 0;
  double left = 0.0;
  double tokens = 0.0;
  double admission = BEFORE_ANY;
  // on the stage's fast path
  std::uint64_t stamp = 0;  // of a counted job
  std::uint64_t begun_before = 0;
  std::uint64_t ended_before = 0;
  std::uint64_t growth_due = 0;
  bool by_phase = false;
  std::size_t before = 0;  // how many of the counted precede it in the iteration
};

struct Job : StepJob {
  std::uint64_t number = 0;
  Session* session = nullptr;
  Stage* stage = nullptr;
  double work = 0.0;
  double enqueued = 0.0;
  double started = 0.0;
  double mark = 0.0;
  Links<Job> links;
  bool served = false;  // at a fifo stage
  bool decoding = false;
  Holding* growing = nullptr;
};

using Jobs = Chain<Job, &Job::links>;

struct Delay {
  Jobs jobs;
};

struct Fifo {
  std::uint64_t servers = 1;
  Jobs served;
  Jobs waiting;
};

// The finish tag of a job at a ps stage; the job may have left.
struct Tag {
  double tag = 0.0;
  std::uint64_t number = 0;
  Job* job = nullptr;
};

struct Ps {
  Ps(Machine& machine, const ir::Expression& is);

  void advance(double now) {
    virtual_time += rate * (now - since);
    since = now;
  }

  const ir::Expression* capacity;
  bool by_present;                           // the number of jobs is all it depends on
  std::vector<std::optional<double>> known;  // then: what it is with 1, 2, … jobs
  Scope scope;
  double virtual_time = 0.0;
  double rate = 0.0;
  double since = 0.0;
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;  // the number of the job whose finish is scheduled
  Jobs jobs;
  std::vector<Tag> tags;  // a heap, the least first
};

// Residents, decodes and prefills.
struct Shape {
  std::size_t residents = 0;
  std::uint64_t decodes = 0;
  std::uint64_t prefills = 0;

  bool operator==(const Shape&) const = default;
};

struct Step {
  Step(Machine& machine, const ir::Step& is);

  const ir::Step* kind;
  const std::vector<ir::Expression>* keys;  // of `serve by`; none when there are none
  Pool* memory = nullptr;
  std::vector<Pool*> queues;
  std::size_t queued = 0;  // sessions that wait in them
  std::vector<Job*> residents;
  bool running = false;
  bool keys_live = false;
  bool totals_read = false;
  Plan plan;
  std::uint64_t plans = 0;
  std::uint64_t changes = 0;
  Scope scope;
  Scope inquiry;
  LogHistogram gaps;
  Composition composition;
  Shape recorded;
  bool cost_stays = false;  // it draws nothing and reads no clock
  Steady steady;
};

struct Stage {
  Stage(std::uint32_t number, std::variant<Delay, Fifo, Ps, Shared, Step> is)
      : kind(std::move(is)), index(number) {}

  void record(double now);
  void restart(double now);
  void join(Machine& machine, Job& job);
  void count(Machine& machine, const Job& job);
  void done(Machine& machine, Job& job);

  std::variant<Delay, Fifo, Ps, Shared, Step> kind;
  std::uint32_t index;
  bool unsettled = false;
  bool changed = false;
  std::uint64_t completed = 0;
  std::uint64_t iterations = 0;
  RunningMean wait;
  RunningMean service;
  Estimates estimates;
  TimeAverage number_average;
  TimeAverage busy_average;
};

void start(Machine& machine, Stage& stage, Job& job);
void remove(Machine& machine, Stage& stage, Job& job);
bool settle(Machine& machine, Stage& stage, bool pending);
std::size_t present(const Stage& stage);
std::size_t busy(const Stage& stage);
double work_left(const Stage& stage, double now);

}  // namespace serq
