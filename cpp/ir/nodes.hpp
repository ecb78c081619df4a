// Twin of src/serq/ir/nodes.py. Words of the language are enumerators in the order of their
// tables; an expression is the list of its nodes, the root first, and its code.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace serq::ir {

enum class Context : std::uint8_t {
  now, waited, size, age, last, waiting, present, residents, decoders, kv_decode, kv_prefill,
  tokens, prefilled, attention, decoding, admission, remaining,
};
inline constexpr std::size_t CONTEXTS = 17;

enum class Distribution : std::uint8_t { exp, det, uniform, erlang, h2, bernoulli };

enum class Function : std::uint8_t {
  min, max, abs, floor, ceil, sqrt, exp, ln, pow,
  queue, busy, work, budget_left, est_lambda, est_rho, est_wait, price,
  used, free, cachedin, holders, queued,
};

enum class Operator : std::uint8_t {
  add, subtract, multiply, divide, power,
  less, less_equal, greater, greater_equal, equal, not_equal, logical_and, logical_or,
  negate, logical_not,
};

enum class NodeKind : std::uint8_t {
  number, attribute, context, draw, call, unary, binary, conditional,
  pool_reference, stage_reference,
};

// `word` is an enumerator of its kind's table, `slot` an attribute's; `base` and `count` are a
// reference's.
struct Node {
  NodeKind kind = NodeKind::number;
  std::uint8_t word = 0;
  std::uint32_t arity = 0;
  std::uint32_t slot = 0;
  std::uint32_t base = 0;
  std::uint32_t count = 0;
  double value = 0.0;
};

struct Instruction {
  std::uint8_t code = 0;
  std::uint8_t word = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double value = 0.0;
};

// What most expressions are: a number, an attribute, the time, the time since an attribute, a
// draw of an exponential with a number as its mean; others have code alone.
enum class Form : std::uint8_t { number, attribute, now, since, exponential, code };

struct Expression {
  std::vector<Node> nodes;
  std::vector<Instruction> code;
  std::size_t depth = 0;
  Form form = Form::code;
  std::uint32_t slot = 0;  // of the attribute
  double value = 0.0;      // of the number
};

struct PoolReference {
  std::uint32_t base = 0;
  std::uint32_t count = 1;
  std::optional<Expression> index;
};

struct StageReference {
  std::uint32_t base = 0;
  std::uint32_t count = 1;
  std::optional<Expression> index;
};

struct Spill {
  std::uint32_t to = 0;
  std::uint32_t via = 0;
  Expression work;
  Expression when;
};

struct Pool {
  double cap = std::numeric_limits<double>::infinity();
  std::optional<double> block;
  std::optional<std::vector<Expression>> evict;
  bool preempt_lifo = false;
  std::optional<std::vector<Expression>> queue;
  std::optional<Spill> spill;
  std::optional<std::uint32_t> admit_via;
};

struct Fifo {
  std::uint64_t servers = 1;
};

struct Ps {
  Expression capacity;
};

struct Delay {};

struct ServeBy {
  std::vector<Expression> keys;
};

struct ExclusivePrefill {};

// What the members of an array have in common is there once.
using SharedExpression = std::shared_ptr<const Expression>;

struct Step {
  SharedExpression budget;
  SharedExpression cost;
  SharedExpression chunk;
  std::variant<ServeBy, ExclusivePrefill> serve;
  std::optional<std::uint32_t> memory;
};

using StageKind = std::variant<Fifo, Ps, Delay, Step>;

struct Stage {
  StageKind kind;
};

struct Turn {};

struct End {};

struct Set {
  std::uint32_t slot = 0;
  Expression value;
};

struct Observe {
  std::uint32_t observe = 0;
  Expression value;
};

struct HoldPool {
  PoolReference pool;
  Expression units;
  std::optional<Expression> reserve;
};

struct Lease {
  PoolReference pool;
  Expression time;
};

// Where a hold statement stands.
struct HoldPlace {
  std::uint32_t block = 0;
  std::uint32_t at = 0;
};

struct Hold {
  HoldPlace place;
  std::vector<HoldPool> pools;
  std::optional<Expression> reuse;
  std::uint32_t body = 0;
  std::optional<Expression> cache;
  std::optional<Lease> lease;
};

struct Grow {
  PoolReference pool;
  Expression units;
};

struct Load {
  PoolReference pool;
  Expression units;
};

struct Drop {
  PoolReference pool;
};

struct Release {
  PoolReference pool;
};

enum class Mode : std::uint8_t { plain, prefill, decode };

struct Run {
  StageReference stage;
  Mode mode = Mode::plain;
  Expression work;
  std::optional<PoolReference> growing;
  std::vector<StageReference> also;
};

struct Branch {
  Expression test;
  std::uint32_t then = 0;
  std::uint32_t otherwise = 0;
};

struct Loop {
  std::uint32_t body = 0;
};

struct Choose {
  std::uint32_t slot = 0;
  Expression count;
  std::vector<Expression> keys;
  bool lanes = false;  // the keys may be evaluated for many candidates at once
};

using Statement = std::variant<Turn, End, Set, Observe, Hold, Grow, Load, Drop, Release, Run, Branch,
                               Loop, Choose>;
using Block = std::vector<Statement>;

struct Poisson {
  double rate = 1.0;
};

struct Renewal {
  Expression gap;
};

struct Closed {
  std::uint64_t count = 0;
};

struct Batch {
  std::uint64_t count = 0;
};

using Values = std::vector<std::pair<std::uint32_t, double>>;

struct Preset {
  Values attributes;
  std::vector<Values> turns;
};

struct Sessions {
  std::vector<Preset> sessions;
};

struct TraceArrivals {
  double scale = 1.0;
};

struct NoArrivals {};

using Arrival =
    std::variant<Poisson, Renewal, Closed, Batch, Sessions, TraceArrivals, NoArrivals>;

struct Gauge {
  Expression value;
};

struct Slots {
  std::uint32_t cached = 0;
  std::uint32_t serial = 1;
  std::uint32_t turn_no = 2;
  std::uint32_t more = 6;
  std::uint32_t computed = 8;
};

enum class Share : std::uint8_t { none, maxmin, bottleneck };

struct Program {
  std::size_t attributes = 0;
  std::size_t observes = 0;
  std::vector<Pool> pools;
  std::vector<Stage> stages;
  Arrival arrival;
  bool trace_ordered = false;
  std::uint32_t init = 0;
  std::uint32_t turn = 0;
  std::uint32_t session = 0;
  std::vector<Block> blocks;
  double horizon = 0.0;
  double warmup = 0.0;
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> arrivals;
  Slots slots;
  Share share = Share::none;
  std::vector<Gauge> gauges;
  bool estimates = true;  // some expression wants those of a stage
};

}  // namespace serq::ir
