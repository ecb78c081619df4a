// Twin of src/serq/semantics/stages/stage.py. A stage is what all kinds have and a variant of
// what each kind has; the functions here go to the kind's own. A job is of any kind too.
#pragma once

#include <cstdint>
#include <memory>
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
#include "structures/arena.hpp"
#include "structures/chain.hpp"
#include "structures/context_path.hpp"
#include "structures/fetch.hpp"
#include "structures/finish_tags.hpp"

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
  std::size_t before = 0;   // how many of the counted precede it in the iteration
  std::uint64_t stamp = 0;  // of a counted job
  std::uint64_t begun_before = 0;
  std::uint64_t ended_before = 0;
  std::uint64_t growth_due = 0;
  bool by_phase = false;
};

struct alignas(CACHE_LINE) Job : StepJob {
  bool served = false;  // at a fifo stage
  bool decoding = false;
  std::uint64_t number = 0;
  Session* session = nullptr;
  Stage* stage = nullptr;
  Holding* growing = nullptr;
  double enqueued = 0.0;
  double started = 0.0;
  double work = 0.0;
  double mark = 0.0;
  Links<Job> links;
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

struct Ps {
  Ps(Machine& machine, const ir::Expression& is);

  void advance(double now) {
    virtual_time += rate * (now - since);
    since = now;
  }

  const ir::Expression* capacity;
  bool by_present;                           // the number of jobs is all it depends on
  std::vector<std::optional<double>> known;  // then: each one's share of it, with 1, 2, … jobs
  Scope scope;
  double virtual_time = 0.0;
  double rate = 0.0;
  double since = 0.0;
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;  // the number of the job whose finish is scheduled
  Jobs jobs;
  FinishTags tags;
};

// Residents, decodes and prefills.
struct Shape {
  std::size_t residents = 0;
  std::uint64_t decodes = 0;
  std::uint64_t prefills = 0;

  bool operator==(const Shape&) const = default;
};

struct Step {
  // `alike` are the expressions of a stage before it, used in place of equal ones: engines of an
  // array share theirs.
  Step(const ir::Step& is, const Step* alike);

  // What each visit needs stands together, at the end.
  const ir::Expression* budget;
  const ir::Expression* chunk;
  const std::vector<ir::Expression>* keys;  // of `serve by`; none when there are none
  bool keys_live = false;
  bool totals_read = false;
  bool cost_stays = false;  // it draws nothing and reads no clock
  std::uint64_t plans = 0;
  std::uint64_t changes = 0;
  Plan plan;
  Shape recorded;
  Items<Pool*> queues;
  Items<Job*> residents;
  std::size_t queued = 0;  // sessions that wait in the queues
  bool running = false;
  Pool* memory = nullptr;
  const ir::Expression* cost;
  std::shared_ptr<const ContextPath> cost_path;  // as a function of what those that decode hold
  LogHistogram gaps;
  Composition composition;
  Steady steady;
};

struct alignas(CACHE_LINE) Stage {
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
  std::uint64_t iterations = 0;
  std::size_t recorded_jobs = 0;  // in the averages
  TimeAverage number_average;
  TimeAverage busy_average;
  std::uint64_t completed = 0;
  RunningMean wait;
  RunningMean service;
  Estimates estimates;
};

void start(Machine& machine, Stage& stage, Job& job);
void remove(Machine& machine, Stage& stage, Job& job);
bool settle(Machine& machine, Stage& stage, bool pending);
std::size_t present(const Stage& stage);
std::size_t busy(const Stage& stage);
double work_left(const Stage& stage, double now);

}  // namespace serq
