// Keys to come: the soonest in order, the first one last; the others, which are not before any of
// them, in a calendar. Few events are pending in most programs, and most new ones are soon: they
// are put in their place by moving those before them. Where many are pending, whoever wants to
// know what is next need not ask the calendar.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "structures/calendar.hpp"
#include "structures/key.hpp"
#include "structures/latest_keys.hpp"

namespace serq {

// `Valid` tells which keys of the calendar are void.
template <typename Valid>
class Soonest {
 public:
  bool empty() const { return size_ == 0; }

  // When the first is, and the second; NEVER when there is none.
  std::uint64_t first_time() const { return times_[size_]; }
  std::uint64_t second_time() const { return times_[size_ == 0 ? 0 : size_ - 1]; }

  Key first() const { return get(size_); }

  // How many are in order, and the place of the one that so many of them precede.
  std::size_t in_order() const { return size_; }
  std::uint32_t place_after(std::size_t many) const { return places_[size_ - many]; }

  // The place of what was first.
  std::uint32_t pop() {
    const std::uint32_t place = places_[size_];
    valid_.forget(place);
    --size_;
    refill_if_few();
    return place;
  }

  // No key has a greater number: among equals it is the last.
  void push(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    if (size_ == MOST || !later_.empty()) {
      return push_among_many({time, number, place});
    }
    insert(time, number, place);
  }

  // The same, in place of the one that the place may have.
  void set(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    if (valid_.replace(place, number) && !take_out(place)) {
      leave_out_void();
    }
    push(time, number, place);
  }

 private:
  static constexpr std::size_t MOST = 16;
  static constexpr std::size_t FEWEST = 8;  // unless there are fewer
  static constexpr std::size_t REFILLED = 8;
  static constexpr std::size_t FEW_VOID = 64;

  void put(std::size_t at, const Key& key) {
    times_[at] = key.time;
    numbers_[at] = key.number;
    places_[at] = key.place;
  }

  Key get(std::size_t at) const { return {times_[at], numbers_[at], places_[at]}; }
  void move(std::size_t from, std::size_t to) { put(to, get(from)); }

  void insert(std::uint64_t time, std::uint64_t number, std::uint32_t place) {
    std::size_t at = ++size_;
    for (; at != 1 && times_[at - 1] <= time; --at) {
      move(at - 1, at);
    }
    put(at, {time, number, place});
  }

  // Whether the place's key was among those in order.
  bool take_out(std::uint32_t place) {
    std::size_t at = size_;
    while (at != 0 && places_[at] != place) {
      --at;
    }
    if (at == 0) {
      return false;
    }
    close(at);
    refill_if_few();
    return true;
  }

  // Those before the one at that place move up to where it was.
  void close(std::size_t at) {
    for (; at != size_; ++at) {
      move(at + 1, at);
    }
    --size_;
  }

  [[gnu::noinline]] void push_among_many(const Key& key) {
    if (key.time >= times_[1]) {
      return later_.push(key);
    }
    if (size_ == MOST) {
      later_.push(get(1));
      close(1);
    }
    insert(key.time, key.number, key.place);
  }

  void refill_if_few() {
    if (size_ < FEWEST && !later_.empty()) {
      refill();
    }
  }

  // A key in the calendar is void now. They are left out before they are most of it.
  [[gnu::noinline]] void leave_out_void() {
    if (valid_.note_void() > FEW_VOID + later_.size() / 2) {
      later_.leave_out([this](const Key& key) { return valid_.check(key) == 0; });
    }
  }

  [[gnu::noinline]] void refill() {
    std::array<Key, REFILLED> keys;  // NOLINT: unset on purpose
    std::size_t count = 0;
    while (count != REFILLED && !later_.empty()) {
      keys[count] = later_.pop();
      count += valid_.check(keys[count]);
    }
    for (std::size_t at = size_; at != 0; --at) {
      move(at, at + count);
    }
    size_ += count;
    for (std::size_t at = 1; count != 0; ++at) {
      put(at, keys[--count]);
    }
  }

  // From 1 on, the first one last; apart, since they are written and moved part by part. A time
  // before all of them, NEVER, is what is found when there are none.
  std::array<std::uint64_t, MOST + 1> times_{NEVER};
  std::array<std::uint64_t, MOST + 1> numbers_{};
  std::array<std::uint32_t, MOST + 1> places_{};
  std::size_t size_ = 0;
  Calendar later_;
  [[no_unique_address]] Valid valid_;
};

}  // namespace serq
