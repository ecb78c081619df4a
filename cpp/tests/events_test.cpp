// The event queue against a sorted set: few and many pending events, equal times, and times that
// never come, or are of all magnitudes; ends of iterations among them, which move.
#include <algorithm>
#include <cmath>
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

// Ends that move and never come take no more memory, or time, than those that stand still.
void move_only(std::uint32_t stages) {
  serq::EventQueue queue;
  std::mt19937_64 random(stages);
  std::vector<double> ends(stages);
  for (std::uint32_t step = 0; step != 200'000; ++step) {
    const std::uint32_t stage =
        step < stages ? step : static_cast<std::uint32_t>(random() % stages);
    ends[stage] = static_cast<double>(random() % 10'000'000);
    queue.schedule_iteration(ends[stage], stage);
  }
  for (std::uint32_t left = stages; left != 0; --left) {
    CHECK(queue.first_time() == *std::min_element(ends.begin(), ends.end()));
    ends[queue.pop().stage] = std::numeric_limits<double>::infinity();
  }
  CHECK(queue.empty());
}

// A hundred thousand events of few times: in the order in which they were scheduled.
void come_all_at_once() {
  constexpr std::uint64_t MANY = 100'000;
  serq::EventQueue queue;
  for (std::uint64_t number = 0; number != MANY; ++number) {
    const double time = number % 10 == 0 ? 1.0 : 2.0;
    queue.schedule(time, serq::EventKind::arrive, 0, number, nullptr, nullptr);
  }
  for (std::uint64_t number = 0; number != MANY; number += 10) {
    CHECK(queue.pop().told == number);
  }
  for (std::uint64_t number = 0; number != MANY; ++number) {
    if (number % 10 != 0) {
      CHECK(queue.pop().told == number);
    }
  }
  CHECK(queue.empty());
}

double spread(std::mt19937_64& random) { return static_cast<double>(random() % 1'000'000); }
double few(std::mt19937_64& random) { return static_cast<double>(random() % 4); }

// Of all magnitudes, the least numbers among them.
double magnitudes(std::mt19937_64& random) {
  return std::ldexp(1.0, static_cast<int>(random() % 2000) - 1070);
}

double bursts(std::mt19937_64& random) {
  return random() % 8 == 0 ? spread(random) : 1e-9 * few(random);
}

double at_once(std::mt19937_64& /*random*/) { return 0.0; }

double exponential(std::mt19937_64& random) {
  return std::exponential_distribution<double>(0.3)(random);
}

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
  for (const std::size_t pending : {70, 300, 3000}) {
    for (const auto next_time : {magnitudes, bursts, at_once, exponential, seldom_ever}) {
      compare(pending, next_time);
      compare_iterations(pending, next_time);
    }
  }
  compare(40, seldom_ever);
  move_only(10);
  move_only(500);
  come_all_at_once();
  return check::failures();
}
