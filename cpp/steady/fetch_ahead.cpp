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

// What comes first in a session is what is needed.
constexpr std::size_t OF_A_SESSION = 3 * CACHE_LINE;
constexpr std::size_t OF_A_WAITING_SESSION = 5 * CACHE_LINE;
constexpr std::size_t OF_A_POOL = 3 * CACHE_LINE;  // while nobody comes or leaves
constexpr std::size_t OF_A_CHANGED_POOL = 4 * CACHE_LINE;
constexpr std::size_t OF_A_QUEUE = 5 * CACHE_LINE;

void fetch_stage(const Stage* stage) {
  if (stage != nullptr) {
    fetch(stage, sizeof(Stage));
  }
}

void fetch_job(const Job& job) { fetch(&job, sizeof(Job)); }

void fetch_links(const Job* job) {
  if (job != nullptr) {
    fetch(&job->links);
  }
}

void fetch_session(const Session* session, std::size_t bytes) {
  if (session != nullptr) {
    fetch(session, bytes);
  }
}

void fetch_lists(const Session* session) {
  if (session == nullptr) {
    return;
  }
  fetch(session->frames.data(), 2 * CACHE_LINE);
  fetch(session->attributes.data(), 2 * CACHE_LINE);
  fetch(session->holds.data());
  fetch(session->entries.first(), sizeof(Entry));
}

// What iterations of those that decode need: where they grow, and what was foreseen.
void fetch_growth(const Step& step) {
  const Steady& steady = step.steady;
  if (step.memory != nullptr) {
    fetch(step.memory, OF_A_POOL);
  }
  fetch(steady.foreseen.data() + steady.met, 2 * CACHE_LINE);
  steady.phases.fetch();
  step.gaps.fetch();
}

// Growth takes room from the prefix released first.
void fetch_first_released(const Step& step) {
  if (step.memory != nullptr) {
    fetch(step.memory->releases.first(), sizeof(Entry));
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

// Five visits to an engine, before its iteration ends.

void fetch_lists(const Step& step) {
  const Steady& steady = step.steady;
  fetch_growth(step);
  if (changes_nobody(step)) {
    return;
  }
  fetch(step.residents.data());
  fetch(step.queues.data());
  fetch(step.plan.batch.data());
  fetch(steady.others.data());
  fetch(steady.ends.data(), 2 * CACHE_LINE);
  fetch(steady.cost_parts.data());
  if (step.memory != nullptr) {
    fetch(reinterpret_cast<const std::byte*>(step.memory) + OF_A_POOL, OF_A_CHANGED_POOL - OF_A_POOL);
  }
}

void fetch_jobs(const Step& step) {
  fetch_first_released(step);
  if (changes_nobody(step)) {
    return;
  }
  each_concerned(step, fetch_job);
  if (!step.residents.empty()) {
    fetch(step.residents.back());
  }
  if (!step.queues.empty()) {
    fetch(step.queues.front(), OF_A_QUEUE);
  }
  if (step.memory != nullptr) {
    fetch(step.memory->holders.last());
  }
}

void fetch_sessions(const Step& step) {
  each_concerned(step, [](const Job& job) {
    fetch_session(job.session, OF_A_SESSION);
    fetch(job.growing, sizeof(Holding));
  });
  fetch_session(next_admitted(step), OF_A_WAITING_SESSION);
}

void fetch_holds(const Step& step) {
  each_concerned(step, [](const Job& job) {
    fetch_lists(job.session);
    if (job.growing != nullptr) {
      fetch(job.growing->hold);
      fetch(job.growing->links.before);
      fetch(job.growing->links.after);
    }
  });
  fetch_lists(next_admitted(step));
}

void fetch_holdings(const Step& step) {
  each_concerned(step, [](const Job& job) {
    if (job.growing != nullptr && job.growing->hold != nullptr) {
      fetch(job.growing->hold->holdings.data());
    }
  });
}

void follow_iterations(const Machine& machine) {
  const auto stage_after = [&](std::size_t many) {
    const std::uint32_t index = machine.events.iteration_after(many);
    return index == EventQueue::NO_STAGE ? nullptr : &machine.stages[index];
  };
  const auto follow = [&](std::size_t many, void (*next)(const Step&)) {
    if (const Stage* stage = stage_after(many)) {
      next(std::get<Step>(stage->kind));
    }
  };
  fetch_stage(stage_after(7));
  follow(5, fetch_lists);
  follow(3, fetch_jobs);
  follow(2, fetch_sessions);
  follow(1, fetch_holds);
  follow(0, fetch_holdings);
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
  follow(5, fetch_job);
  follow(4, [](const Job& job) {
    fetch_session(job.session, OF_A_WAITING_SESSION);
    fetch_links(job.links.before);
    fetch_links(job.links.after);
  });
  follow(3, [](const Job& job) {
    fetch_lists(job.session);
    fetch_stage(engine_of(job));
  });
  follow_to_engine(2, [](const Step& step) {
    fetch_growth(step);
    fetch(step.queues.data());
  });
  follow_to_engine(1, [](const Step& step) {
    fetch_first_released(step);
    if (!step.queues.empty()) {
      fetch(step.queues.front(), OF_A_QUEUE);
    }
  });
}

}  // namespace

bool is_large(const Machine& machine) {
  return static_cast<std::size_t>(std::ranges::count_if(machine.stages, [](const Stage& stage) {
           return std::holds_alternative<Step>(stage.kind);
         })) >= LARGE;
}

void fetch_ahead(const Machine& machine, const Event& taken) {
  if (taken.kind == EventKind::iteration_end) {
    follow_iterations(machine);
  } else {
    follow_others(machine);
  }
}

}  // namespace serq
