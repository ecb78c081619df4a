// What the value of an expression can be while a session waits: its attributes stay, what the
// machine is like may be anything.
#pragma once

#include <limits>

#include "ir/nodes.hpp"

namespace serq {

struct Machine;
struct Session;

// The value is between `least` and `most`, or no number. `safe` when evaluating it changes
// nothing, whatever the machine is like: it draws nothing, and can't be an error.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool number = false;
  bool safe = true;
};

Bounds bounds_of(const ir::Expression& expression, const Machine& machine,
                 const Session& session);

}  // namespace serq
