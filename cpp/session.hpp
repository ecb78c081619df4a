// Twin of src/serq/semantics/session.py. Records are used again; what outlives a session (an
// entry, an event) knows its serial too. A holding knows what is needed of its hold after the
// scope has ended: a lease has no hold. A session's wait is a member: it has one at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cache.hpp"
#include "errors.hpp"
#include "ir/nodes.hpp"
#include "stages/tokens.hpp"
#include "structures/arena.hpp"
#include "structures/chain.hpp"
#include "structures/fetch.hpp"

namespace serq {

struct Hold;
struct Job;
struct Machine;
struct Pool;
struct Session;

inline constexpr double BEFORE_ANY = std::numeric_limits<double>::infinity();

enum class Status : std::uint8_t { ready, deferred, queued, in_stage, growing, ended };

enum class FrameKind : std::uint8_t { plain, loop, hold };

struct Frame {
  const ir::Statement* statements = nullptr;
  std::uint32_t size = 0;
  std::uint32_t block = 0;
  std::uint32_t next = 0;
  FrameKind kind = FrameKind::plain;
};

struct alignas(CACHE_LINE) Holding {
  double computed() const;

  Hold* hold = nullptr;  // none of a lease
  Session* session = nullptr;
  Pool* pool = nullptr;
  const ir::Hold* statement = nullptr;
  double allocated = 0.0;
  double position = 0.0;
  Links<Holding> links;
};

// One of a hold, and of which pool: whoever looks for that of a pool need not visit the others.
struct Held {
  Pool* pool = nullptr;
  Holding* holding = nullptr;
};

struct alignas(CACHE_LINE) Hold {
  Holding* on(const Pool& pool) const;

  Session* session = nullptr;
  const ir::Hold* statement = nullptr;
  Pool* leased = nullptr;
  Items<Held> holdings;
  bool grown = false;
};

struct Waiting {
  const ir::Hold* statement = nullptr;
  Items<Pool*> pools;
  Items<double> units;
  Pool* leased = nullptr;
  double queued_at = 0.0;
  bool front = false;
  bool weighed = false;       // what it needs at least is known
  std::vector<double> least;  // in each pool; nothing when nobody can tell
};

struct Lease {
  std::uint64_t number = 0;
  Holding* holding = nullptr;
  double computed = 0.0;
};

struct Growth {
  Holding* holding = nullptr;
  double units = 0.0;
  const Job* job = nullptr;
};

// How far a session had come on a pool when it was preempted there.
struct Position {
  std::uint32_t pool = 0;
  double computed = 0.0;
};

struct alignas(CACHE_LINE) Session {
  void start(std::uint64_t number, std::size_t attribute_count);
  Place loop_place() const;
  Holding* innermost(const Pool& pool) const;
  double allocated(const Pool& pool) const;
  void forget_position(const Pool& pool);

  // In lines: what each statement needs, what its run and its holds need, and who waits.
  std::uint64_t serial = 0;
  Items<Frame> frames;
  Job* job = nullptr;
  double instant = -1.0;
  std::uint64_t statements = 0;
  Status status = Status::ready;
  bool is_waiting = false;
  bool stuck = false;

  Items<double> attributes;
  double admission = BEFORE_ANY;
  Token token;

  Chain<Entry, &Entry::own> entries;
  Items<Hold*> holds;
  Links<Session> links;

  Items<Position> positions;
  Items<Lease> leases;
  const std::vector<ir::Values>* turns = nullptr;
  std::size_t turns_taken = 0;

  Waiting waiting;
  Growth growth;
};

void do_set(Machine& machine, Session& session, const ir::Set& statement);
void do_observe(Machine& machine, Session& session, const ir::Observe& statement);

}  // namespace serq
