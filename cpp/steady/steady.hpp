// The fast path of a step stage. A resident that decodes whole tokens is `counted`: iterations
// are numbered, and what they did to its job, its holding and its latest token is worked out when
// somebody asks. An iteration visits the residents that are not counted, and what is due: block
// growth, known in advance by its number, and the runs that end. Every result is the general
// path's to the bit; where an order of residents could show, the general path has the iteration.
//
// counting.cpp: who is counted, and growth. iterations.cpp: plans and ends. advance.cpp: the loop
// over iterations between which nothing else happens; decode_means.hpp: what it adds to the means;
// run_ahead.cpp has one engine run ahead of the next event, asleep.cpp lets many engines sleep
// until something concerns them, refusal.cpp knows who need not be asked at every event, and
// fetch_ahead.cpp what the next events need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "structures/arena.hpp"
#include "structures/phases.hpp"

namespace serq {

struct Job;
struct Machine;
struct Pool;
struct Scope;
struct Session;
struct Stage;
struct Step;

// What a counted job has to do in the iteration of that number. Void unless the job's `stamp` is
// this one: it has left since.
struct Due {
  std::uint64_t iteration = 0;
  std::uint64_t stamp = 0;
  Job* job = nullptr;
};

// By how many blocks the counted grow when an iteration begins, so many after `foreseen_from`, and
// what each iteration costs from there to the next growth.
struct Foreseen {
  std::uint32_t after = 0;
  std::uint32_t blocks = 0;
  double cost = 0.0;
};

// For heaps with the least iteration first.
struct Later {
  bool operator()(const Due& a, const Due& b) const { return a.iteration > b.iteration; }
};

inline constexpr std::uint64_t FOREVER = std::numeric_limits<std::uint64_t>::max();

struct Steady {
  bool allowed = false;   // what the stage is allows counting
  bool planning = false;  // a plan with counted residents is in the making
  double budget = 0.0;
  double chunk = 0.0;
  std::size_t late = 0;      // in the batch, where those begin who came while it was planned
  std::size_t in_parts = 0;  // how many of the counted end within a token, or too late to be added
  Items<Due> growths;  // a heap: of the positions not by phase, and when they become such
  Items<Job*> others;  // the residents that are not counted, in their order
  Items<Due> ends;     // a heap: after which iteration less than a token is left
  // Where additions of 1 are exact a position grows every `block` iterations: how many by phase.
  Phases phases;

  std::uint64_t last_ends = 0;  // after which iteration each of the counted ends, added up
  std::uint64_t next_end = 0;   // the first of them
  bool cost_known = false;
  bool roused = false;  // before the end of the iteration that runs
  bool asleep = false;
  std::uint64_t sight = 0;  // how many iterations it foresees next, when asleep
  std::size_t counted = 0;
  std::uint64_t grown = 0;  // the iteration up to which growth is done: `begun`, or the next
  std::uint64_t ended = 0;
  std::uint64_t begun = 0;
  std::uint64_t next_phase = 0;  // no growth by phase before that iteration
  double cost = 0.0;
  double kv_decode = 0.0;   // what they hold of the engine's memory
  double last_token = 0.0;  // when every counted resident had its latest token
  double end = 0.0;         // of the iteration that runs while it sleeps, begun with that token
  Pool* pool = nullptr;     // where the counted grow

  // Iterations of the counted alone that are known before they begin.
  std::uint64_t next_growth() const {
    return met != foreseen.size() ? foreseen_from + foreseen[met].after : FOREVER;
  }

  Items<double> cost_parts;         // of the cost's path, for so many that are counted
  std::size_t cost_parts_for = 0;
  double pending = 0.0;  // what the growths come to that are not met yet
  std::uint64_t foreseen_from = 0;
  std::uint64_t foreseen_to = 0;
  std::size_t met = 0;  // so many of the growths have been
  Items<Foreseen> foreseen;
};

enum class Planned : std::uint8_t {
  not_at_all,  // the general path plans
  counted,     // the plan is the counted residents and the batch
  spelled_out  // the plan is the batch, nobody is counted
};

// Whether what the stage is allows counting: its budget is a number, its cost reads no state.
void allow_counting(Machine& machine, Step& step);

// `x` after `count` additions of 1, one by one.
double after_tokens(double x, std::uint64_t count);

// Where a job comes among the residents.
bool precedes(const Job& job, const Job& other);

double tokens_left(const Step& step, const Job& job);

// What they all have left; nothing when that depends on the order in which it is added up.
std::optional<double> whole_tokens_left(const Step& step);
std::size_t batch_size(const Step& step);

// Counts those of the others that decode whole tokens from this iteration on.
void count_ready(Machine& machine, const Stage& stage, Step& step);

// A job is as if each iteration had been applied, and counted no longer; or all are.
void uncount(Step& step, Job& job);
void uncount_all(Step& step);

// Whether so much more fits where the counted grow, and sums of it are exact.
bool may_grow(const Steady& steady, double units);

// Growth of the counted that is due in the iteration that begins, when `units` more fit as well.
// Otherwise nothing has happened.
bool grow_counted(Machine& machine, Step& step, double units);

// A resident comes, or is about to leave.
void add_resident(Step& step, Job& job);
void remove_resident(Step& step, Job& job);

// The plan in the making becomes one the general path can go on with.
void spell_out(Step& step);

Planned plan_counted(Machine& machine, Stage& stage, Step& step);
void begin_counted(Machine& machine, Stage& stage, Step& step);

// The cost's context is an iteration that serves the counted alone.
void describe_counted(const Step& step, Scope& scope);

// What an iteration costs that serves the counted alone.
double cost_of_counted(Machine& machine, Step& step);

// The counted have a token more; whose run ends, and after which of the others, is in `finished`.
void end_counted(Machine& machine, Stage& stage, Step& step);

// Nothing is foreseen yet; and nothing is any more.
void begin_foresight(Machine& machine, Step& step);
void end_foresight(Steady& steady);

// So many more iterations are foreseen, unless somebody leaves or memory does not suffice.
void foresee(Machine& machine, Step& step, std::uint64_t most);

// When the last of them ends, if the present one ends at `end`. One that takes no time, and what
// comes after it, is not foreseen: what happens then happens at one instant.
double end_of_foreseen(Steady& steady, double end);

// When iterations between which nothing happens end: the present one began `now` and ends at
// `end`; what matters next comes not before `before`.
struct Clock {
  double now;
  double end;
  double before;

  bool may_end() const { return now < end && end < before; }
};

// Iterations end and foreseen ones begin; `machine.now` is then when the present one began.
// Returns how many ended.
std::uint64_t advance(Machine& machine, Stage& stage, Step& step, Clock& clock,
                      std::uint64_t most);

// Whether somebody has to be asked at the next event, whatever it is about.
bool restless(const Machine& machine);

// Whether the iteration that runs serves the counted alone, and the next one is like it: nobody
// waits, and nobody left while it ran.
bool counts_alone(const Step& step);

void run_ahead(Machine& machine);

// Thrown where the order of events at the same instant can't be told: the run has to be made
// again, with every engine awake.
struct Doubt {};

// Engines may sleep where there are several and no gauge asks at each instant.
void allow_sleep(Machine& machine);

// An engine whose iteration ends at `end` sleeps if it can; when its next event is to be.
double fall_asleep(Machine& machine, Stage& stage, Step& step, double end);

// Somebody asks for a sleeper's state: iterations that ended before now are applied. One that ends
// now is in doubt.
void catch_up(Machine& machine, Stage& stage);
void catch_up_all(Machine& machine);

// The same of all that ended before `before`, where there is no doubt; returns when the last did,
// or the present time.
double apply_all(Machine& machine, double before);

// Something concerns the engine: it is caught up, and awake from now on, in an iteration.
void rouse(Machine& machine, Stage& stage);
void rouse_if_restless(Machine& machine);

// The engine's iteration ends now: it is awake, and nothing else happens at the instant if it had
// been asleep when it began.
void wake(Machine& machine, Stage& stage, Step& step);

// Whether an engine whose event is due sleeps on: it had not foreseen more until now.
bool sleeps_on(Machine& machine, Stage& stage);

}  // namespace serq
