// The fast path of a step stage. A resident that decodes whole tokens is `counted`: iterations
// are numbered, and what they did to its job, its holding and its latest token is worked out when
// somebody asks. An iteration visits the residents that are not counted, and what is due: block
// growth, known in advance by its number, and the runs that end. Every result is the general
// path's to the bit; where an order of residents could show, the general path has the iteration.
//
// counting.cpp: who is counted, and growth. iterations.cpp: plans and ends. run_ahead.cpp: the
// loop over iterations between which nothing else happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace serq {

struct Job;
struct Machine;
struct Pool;
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

// For heaps with the least iteration first.
struct Later {
  bool operator()(const Due& a, const Due& b) const { return a.iteration > b.iteration; }
};

struct Steady {
  bool allowed = false;   // what the stage is allows counting
  bool planning = false;  // a plan with counted residents is in the making
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  std::uint64_t grown = 0;  // the iteration up to which growth is done: `begun`, or the next
  double budget = 0.0;
  double chunk = 0.0;
  double last_token = 0.0;  // when every counted resident had its latest token
  double kv_decode = 0.0;   // what they hold of the engine's memory
  double cost = 0.0;
  bool cost_known = false;
  std::size_t counted = 0;
  std::uint64_t last_ends = 0;  // after which iteration each of them ends, added up
  std::size_t in_parts = 0;     // how many of them end within a token, or too late to be added
  std::vector<Job*> others;  // the residents that are not counted, in their order
  std::vector<Due> ends;     // a heap: after which iteration less than a token is left
  std::uint64_t next_end = 0;  // the first of them
  Pool* pool = nullptr;      // where the counted grow
  // Where additions of 1 are exact a position grows every `block` iterations: how many by phase.
  std::vector<std::uint32_t> phases;
  std::uint64_t next_phase = 0;  // no growth by phase before that iteration
  std::vector<Due> growths;      // a heap: of the other positions, and when they become such
  std::vector<Job*> growing;     // those that `growths` had for the iteration that begins
  std::size_t late = 0;          // in the batch, where those begin who came while it was planned
  std::vector<Job*> finished;
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

// What an iteration costs that serves the counted alone.
double cost_of_counted(Step& step);

// The counted have a token more; whose run ends, and after which of the others, is in `finished`.
void end_counted(Machine& machine, Stage& stage, Step& step);

void run_ahead(Machine& machine);

}  // namespace serq
