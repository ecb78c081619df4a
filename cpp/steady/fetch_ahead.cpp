// In a large fleet an event finds the records of its engine and of its session outside the
// processor's caches, and would wait for one line after another: a session's record says where
// its job is, that says where its holding is, and so on. Which events are next is known. With
// each event taken, every one of the next is followed one step further, so that what it needs is
// there when its turn comes.
#include "steady/fetch_ahead.hpp"

#include <algorithm>
#include <variant>

#include "machine.hpp"
#include "structures/fetch.hpp"

namespace serq {
namespace {

// About as many engines fit; where assertions are made, following them is tried on all programs.
#ifdef NDEBUG
constexpr std::size_t LARGE = 128;
#else
constexpr std::size_t LARGE = 1;
#endif

// What comes first in a record is what is needed.
constexpr std::size_t OF_A_SESSION = 3 * CACHE_LINE;          // while its holds stay
constexpr std::size_t OF_A_LEAVING_SESSION = 4 * CACHE_LINE;  // what it holds
constexpr std::size_t OF_A_POOL = 3 * CACHE_LINE;             // while nobody comes or leaves
constexpr std::size_t OF_A_CHANGED_POOL = 4 * CACHE_LINE;
constexpr std::size_t OF_A_QUEUE = 5 * CACHE_LINE;

template <typename Record>
void fetch_if_any(const Record* record) {
  if (record != nullptr) {
    fetch_record(record);
  }
}

void fetch_lists(const Session* session) {
  if (session == nullptr) {
    return;
  }
  fetch<2 * CACHE_LINE>(session->frames.data());
  fetch<3 * CACHE_LINE>(session->attributes.data());
  fetch(session->holds.data());
  fetch_record(session->entries.first());
}

// Those before and after it have its place in their chain.
template <typename Record>
void fetch_neighbours(const Links<Record>& links, Links<Record> Record::* of) {
  for (const Record* record : {links.before, links.after}) {
    if (record != nullptr) {
      fetch(&(record->*of));
    }
  }
}

void fetch_counts(const Machine& machine, const Pool& pool) {
  fetch(machine.pool_counts.data() + pool.index);
}

const Pool* queue_of(const Step& step) {
  return step.queues.empty() ? nullptr : step.queues.front();
}

// What iterations of those that decode need: where they grow, and what was foreseen.
void fetch_growth(const Step& step) {
  const Steady& steady = step.steady;
  if (step.memory != nullptr) {
    fetch<OF_A_POOL>(step.memory);
  }
  fetch<3 * CACHE_LINE>(steady.foreseen.data() + steady.met);
  steady.phases.fetch();
  step.gaps.fetch();
}

// Growth takes room from the prefix released first.
void fetch_first_released(const Step& step) {
  if (step.memory != nullptr) {
    fetch(step.memory->releases.first());
  }
}

// Whether somebody's run ends with the iteration at whose end the engine is visited; and whose.
bool ends_somebody(const Step& step) {
  const Steady& steady = step.steady;
  const std::uint64_t next = steady.asleep ? steady.foreseen_to + 1 : steady.ended + 1;
  return !steady.ends.empty() && steady.next_end <= next;
}

const Job* ending(const Step& step) {
  return ends_somebody(step) ? step.steady.ends.front().job : nullptr;
}

// The hold that grows while the job runs.
const Hold* hold_of(const Job* job) {
  return job == nullptr || job->growing == nullptr ? nullptr : job->growing->hold;
}

// The engine sleeps on.
bool changes_nobody(const Step& step) { return step.steady.asleep && !ends_somebody(step); }

const Session* next_admitted(const Step& step) {
  return step.queued == 0 || step.queues.empty() ? nullptr : step.queues.front()->queue.first();
}

// Those whom the engine's next visit is about.
template <typename Visit>
void each_concerned(const Step& step, const Visit& visit) {
  if (const Job* job = ending(step)) {
    visit(*job);
  }
  if (!step.plan.batch.empty()) {
    visit(*step.plan.batch.front());
  }
}

// And what is held by the one whose run ends.
template <typename Visit>
void each_held(const Step& step, const Visit& visit) {
  const Hold* hold = hold_of(ending(step));
  if (hold != nullptr) {
    for (const auto& held : hold->holdings) {
      visit(*held.holding);
    }
  }
}

// Visits to an engine before its iteration ends, each to what the one before has brought.

void fetch_lists(const Machine& /*machine*/, const Step& step) {
  const Steady& steady = step.steady;
  fetch_growth(step);
  if (changes_nobody(step)) {
    return;
  }
  fetch(step.residents.data());
  fetch(step.queues.data());
  fetch(step.plan.batch.data());
  fetch(steady.others.data());
  fetch<2 * CACHE_LINE>(steady.ends.data());
  fetch(steady.cost_parts.data());
  if (step.memory != nullptr) {
    fetch<OF_A_CHANGED_POOL - OF_A_POOL>(reinterpret_cast<const std::byte*>(step.memory) +
                                         OF_A_POOL);
  }
}

void fetch_jobs(const Machine& machine, const Step& step) {
  fetch_first_released(step);
  if (changes_nobody(step)) {
    return;
  }
  each_concerned(step, [](const Job& job) { fetch_record(&job); });
  // whoever comes is compared with the last, which may be about to leave
  const std::size_t residents = step.residents.size();
  for (std::size_t at = residents - std::min<std::size_t>(residents, 2); at != residents; ++at) {
    fetch(step.residents[at]);
  }
  if (const Pool* queue = queue_of(step)) {
    fetch<OF_A_QUEUE>(queue);
  }
  if (step.memory != nullptr) {
    fetch(step.memory->releases.last());
    fetch(step.memory->holders.last());
    fetch_counts(machine, *step.memory);
  }
}

void fetch_sessions(const Machine& machine, const Step& step) {
  each_concerned(step, [](const Job& job) {
    fetch<OF_A_SESSION>(job.session);
    fetch(job.growing);
  });
  if (changes_nobody(step)) {
    return;
  }
  fetch_if_any(next_admitted(step));
  if (const Pool* queue = queue_of(step)) {
    fetch(queue->holders.last());
    fetch_counts(machine, *queue);
  }
}

void fetch_holds(const Machine& /*machine*/, const Step& step) {
  each_concerned(step, [](const Job& job) {
    fetch_lists(job.session);
    if (job.growing != nullptr) {
      fetch(job.growing->hold);
    }
  });
  fetch_lists(next_admitted(step));
  if (const Job* job = ending(step)) {
    fetch<OF_A_LEAVING_SESSION - OF_A_SESSION>(
        reinterpret_cast<const std::byte*>(job->session) + OF_A_SESSION);
  }
}

void fetch_held(const Machine& /*machine*/, const Step& step) {
  each_concerned(step, [](const Job& job) {
    if (const Hold* hold = hold_of(&job)) {
      fetch(hold->holdings.data());
    }
  });
  if (const Session* session = next_admitted(step)) {
    fetch(session->waiting.pools.data());
    fetch(session->waiting.units.data());
    if (const Entry* entry = session->entries.first()) {
      fetch_neighbours(entry->links, &Entry::links);
    }
  }
}

void fetch_holdings(const Machine& /*machine*/, const Step& step) {
  each_held(step, [](const Holding& holding) { fetch_record(&holding); });
}

void fetch_other_holders(const Machine& /*machine*/, const Step& step) {
  each_held(step,
            [](const Holding& holding) { fetch_neighbours(holding.links, &Holding::links); });
}

void follow_iterations(const Machine& machine) {
  const auto stage_after = [&](std::size_t many) {
    const std::uint32_t index = machine.events.iteration_after(many);
    return index == EventQueue::NO_STAGE ? nullptr : &machine.stages[index];
  };
  const auto follow = [&](std::size_t many, void (*next)(const Machine&, const Step&)) {
    if (const Stage* stage = stage_after(many)) {
      next(machine, std::get<Step>(stage->kind));
    }
  };
  fetch_if_any(stage_after(7));
  follow(6, fetch_lists);
  follow(5, fetch_jobs);
  follow(4, fetch_sessions);
  follow(3, fetch_holds);
  follow(2, fetch_held);
  follow(1, fetch_holdings);
  follow(0, fetch_other_holders);
}

// Where the session had its latest token: it comes back there, most likely.
const Stage* engine_of(const Job& job) {
  return job.session == nullptr ? nullptr : job.session->token.stage;
}

void follow_others(const Machine& machine) {
  const auto follow = [&](std::size_t many, const auto& next) {
    const Event* event = machine.events.other_after(many);
    if (event != nullptr && event->job != nullptr) {
      next(*event->job);
    }
  };
  const auto follow_to_engine = [&](std::size_t many, const auto& next) {
    follow(many, [&](const Job& job) {
      if (const Stage* engine = engine_of(job)) {
        next(std::get<Step>(engine->kind));
      }
    });
  };
  fetch(machine.events.other_after(6));
  follow(5, [](const Job& job) { fetch_record(&job); });
  follow(4, [](const Job& job) {
    fetch_if_any(job.session);
    fetch_neighbours(job.links, &Job::links);
  });
  follow(3, [](const Job& job) {
    fetch_lists(job.session);
    fetch_if_any(engine_of(job));
  });
  follow_to_engine(2, [](const Step& step) {
    fetch_growth(step);
    fetch(step.queues.data());
  });
  follow_to_engine(1, [&](const Step& step) {
    fetch_first_released(step);
    if (const Pool* queue = queue_of(step)) {
      fetch<OF_A_QUEUE>(queue);
      fetch_counts(machine, *queue);
    }
  });
}

}  // namespace

bool is_large(const Machine& machine) {
  return static_cast<std::size_t>(std::ranges::count_if(machine.stages, [](const Stage& stage) {
           return std::holds_alternative<Step>(stage.kind);
         })) >= LARGE;
}

void fetch_asked(const Machine& machine, const Pool& pool, const Session& session) {
  if (!machine.large) {
    return;
  }
  fetch<OF_A_QUEUE>(&pool);
  fetch_counts(machine, pool);
  if (pool.engine != nullptr && pool.engine != session.token.stage) {
    fetch_record(pool.engine);
  }
}

void fetch_slept(const Machine& machine, const Step& step) {
  if (machine.large) {
    fetch_growth(step);
  }
}

void fetch_ahead(const Machine& machine, const Event& taken) {
  if (taken.kind == EventKind::iteration_end) {
    follow_iterations(machine);
  } else {
    follow_others(machine);
  }
}

}  // namespace serq
