// The fast path of a step stage whose residents all decode. Each of its iterations gives every
// resident one token, so the iterations are counted and what they did to a job is worked out when
// somebody asks (`catch_up`). What every iteration does by itself stays: the growth that is due,
// the cost, the time, the gaps between tokens. Results are those of the general path to the bit.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace serq {

struct Machine;
struct Stage;
struct Step;

// The number of the iteration in which a resident next grows, and which resident it is.
using Due = std::pair<std::uint64_t, std::uint32_t>;

struct Steady {
  bool on = false;
  std::uint64_t ended = 0;      // iterations that ended and are not in the jobs yet
  std::uint64_t begun = 0;      // iterations that began and are not in the jobs yet
  std::uint64_t ends_left = 0;  // iterations after which every job wants a whole token still
  double last_token = 0.0;      // when all of them had their latest token
  double batch = 0.0;           // how many there are
  double kv_decode = 0.0;
  double cost = 0.0;
  bool cost_known = false;
  std::vector<Due> due;  // a heap, the least first
};

// Whether what the stage is allows counting: its budget is a number, its cost reads no state.
bool may_be_steady(const Step& step);

// `x` after `count` additions of 1, one by one.
double after_tokens(double x, std::uint64_t count);

// The iteration that begins now is one of decodes alone: from here on they may be counted.
void enter_steady(Machine& machine, Stage& stage, Step& step);

// The jobs are as if each iteration had been applied.
void catch_up(Step& step);

// The same, and iterations are no longer counted.
void leave_steady(Step& step);

// An iteration ends. False when it is not one that may be counted: the general path has it then.
bool end_steady(Machine& machine, Step& step);

// An iteration begins: its cost, or a negative number when the general path has to begin it.
double begin_steady(Machine& machine, Step& step);

// Ends and begins iterations of the stage of the next event as long as nothing else happens.
void run_ahead(Machine& machine);

}  // namespace serq
