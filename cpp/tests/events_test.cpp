// The event queue against a sorted set: few and many pending events, equal times, and times that
// never come.
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <utility>

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
  }
  compare(40, seldom_ever);
  return check::failures();
}
