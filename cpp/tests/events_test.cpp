// The event queue against a sorted set: few and many pending events, equal times, and times that
// never come; ends of iterations among them, which move.
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "events.hpp"

namespace {

// The time of each event and its number, which `told` is; a draw of `times` is an event's.
void compare(std::size_t pending, const auto& next_time) {
  serq::EventQueue queue;
  std::set<std::pair<double, std::uint64_t>> wanted;
  std::mt19937_64 random(pending);
  std::uint64_t number = 0;
  double now = 0.0;
  for (int step = 0; step != 20'000; ++step) {
    if (wanted.empty() || random() % (2 * pending) >= wanted.size()) {
      const double time = now + next_time(random);
      queue.schedule(time, serq::EventKind::arrive, 0, number, nullptr, nullptr);
      wanted.emplace(time, number++);
    } else {
      now = wanted.begin()->first;
      CHECK(queue.first_time() == now);
      CHECK(queue.pop().told == wanted.begin()->second);
      wanted.erase(wanted.begin());
    }
    CHECK(queue.empty() == wanted.empty());
  }
}

// Of each stage an iteration ends once; when it is scheduled again, the time before is void.
void compare_iterations(std::size_t stages, const auto& next_time) {
  serq::EventQueue queue;
  std::set<std::tuple<double, std::uint64_t, std::size_t>> wanted;
  std::vector<std::optional<std::tuple<double, std::uint64_t, std::size_t>>> of(stages + 1);
  std::mt19937_64 random(stages);
  std::uint64_t number = 0;
  double now = 0.0;
  for (int step = 0; step != 20'000; ++step) {
    const std::size_t stage = random() % (stages + 1);  // the last is none: another event
    if (wanted.empty() || random() % 2 == 0) {
      const double time = now + next_time(random);
      if (stage == stages && !of[stage]) {
        queue.schedule(time, serq::EventKind::arrive, 0, number, nullptr, nullptr);
      } else if (stage != stages) {
        queue.schedule_iteration(time, static_cast<std::uint32_t>(stage));
      } else {
        continue;
      }
      if (of[stage]) {
        wanted.erase(*of[stage]);
      }
      of[stage] = std::tuple(time, number++, stage);
      wanted.insert(*of[stage]);
    } else {
      const auto first = *wanted.begin();
      now = std::get<0>(first);
      CHECK(queue.first_time() == now);
      const bool iteration = std::get<2>(first) != stages;
      CHECK((queue.first_iteration() != serq::EventQueue::NO_STAGE) == iteration);
      if (iteration) {
        CHECK(queue.second_time() ==
              (wanted.size() == 1 ? std::numeric_limits<double>::infinity()
                                  : std::get<0>(*std::next(wanted.begin()))));
      }
      const serq::Event event = queue.pop();
      CHECK((event.kind == serq::EventKind::iteration_end) == iteration);
      CHECK(iteration ? event.stage == std::get<2>(first) : event.told == std::get<1>(first));
      of[std::get<2>(first)].reset();
      wanted.erase(wanted.begin());
    }
    CHECK(queue.empty() == wanted.empty());
  }
}

double spread(std::mt19937_64& random) { return static_cast<double>(random() % 1'000'000); }
double few(std::mt19937_64& random) { return static_cast<double>(random() % 4); }

double seldom_ever(std::mt19937_64& random) {
  return random() % 3 == 0 ? few(random) : std::numeric_limits<double>::infinity();
}

}  // namespace

int main() {
  for (const std::size_t pending : {1, 3, 8, 15, 16, 17, 40, 1000}) {
    compare(pending, spread);
    compare(pending, few);
    compare_iterations(pending, spread);
    compare_iterations(pending, few);
  }
  compare(40, seldom_ever);
  return check::failures();
}
