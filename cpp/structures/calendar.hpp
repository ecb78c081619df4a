// Many keys to come, of which the first are taken: a calendar queue (R. Brown, Calendar queues,
// CACM 31, 1988) whose year is laid out anew when it is over. A key of this year is put into the
// list of its day, in no order; a later one waits for the next year. Those of today are in a heap,
// which is small: a key costs the same however many there are. When the days don't part the keys,
// since many are of the same time, the heap is large, and all is what it would be with a heap
// alone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "structures/key.hpp"
#include "structures/key_heap.hpp"
#include "structures/key_lists.hpp"

namespace serq {

class Calendar {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const Key& key) {
    ++size_;
    ++since_;
    if (key.time >= tomorrow_) {
      return put_off(key);
    }
    today_.push(key);
    if (today_.size() > CROWD) {
      part_crowd();
    }
  }

  Key pop() {
    if (today_.empty()) {
      next_day();
    }
    --size_;
    return today_.pop();
  }

  // Leaves out the keys of which that is true.
  template <typename Void>
  void leave_out(const Void& is_void) {
    gather();
    std::erase_if(later_, is_void);
    size_ = later_.size();
    lay_out();
  }

 private:
  static constexpr std::size_t CROWD = 256;  // in a heap, whereupon there are days
  static constexpr std::size_t FEW = 64;     // for which there are none
  static constexpr std::size_t A_DAY = 4;    // as the year begins; more will come
  static constexpr std::size_t ASKED = 64;   // when there is a year to be laid out
  static constexpr std::uint64_t AT_NO_TIME = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t day_of(const Key& key) const { return (key.time - new_year_) >> day_bits_; }

  void put_off(const Key& key) {
    const std::uint64_t day = day_of(key);
    if (day < days_.lists()) {
      days_.put(day, key);
    } else {
      later_.push_back(key);
    }
  }

  // Until there is a key today: there is one.
  [[gnu::noinline]] void next_day() {
    while (today_.empty()) {
      if (++day_ >= days_.lists()) {
        return lay_out();
      }
      days_.take(day_, [this](const Key& key) { today_.push(key); });
    }
    tomorrow_ = new_year_ + ((day_ + 1) << day_bits_);
    days_.fetch_end(day_ + 2);
    days_.fetch_before_end(day_ + 1);
    if (today_.size() > CROWD) {
      part_crowd();
    }
  }

  // Days are too long now, or there were none; or keys are of the same time. To find out takes as
  // long as all the keys that came meanwhile.
  void part_crowd() {
    if (since_ >= size_) {
      gather();
      lay_out();
    }
  }

  [[gnu::noinline]] void gather() {
    today_.give_up(later_);
    for (; day_ < days_.lists(); ++day_) {
      days_.take(day_, [this](const Key& key) { later_.push_back(key); });
    }
  }

  // A year of all keys but the last ones, all of which are later.
  [[gnu::noinline]] void lay_out() {
    since_ = 0;
    day_ = 0;
    if (later_.size() <= FEW) {
      days_.renew(0);
      tomorrow_ = AT_NO_TIME;
      for (const Key& key : later_) {
        today_.push(key);
      }
      return later_.clear();
    }
    choose_days();
    tomorrow_ = new_year_ + (std::uint64_t{1} << day_bits_);
    std::size_t left = 0;
    for (const Key& key : later_) {
      const std::uint64_t day = day_of(key);
      if (day == 0) {
        today_.push(key);
      } else if (day < days_.lists()) {
        days_.put(day, key);
      } else {
        later_[left++] = key;
      }
    }
    later_.resize(left);
  }

  // Three quarters of the keys are of this year, or about as many. Were it less than a quarter,
  // the year is as long as all of them: who is looked at often comes soon.
  void choose_days() {
    std::uint64_t last = three_quarters();
    std::uint64_t first = AT_NO_TIME;
    std::uint64_t greatest = 0;
    std::size_t many = 0;
    for (const Key& key : later_) {
      first = std::min(first, key.time);
      greatest = std::max(greatest, key.time);
      many += static_cast<std::size_t>(key.time <= last);
    }
    if (many < later_.size() / 4) {
      last = greatest;
      many = later_.size();
    }
    new_year_ = first;
    day_bits_ = static_cast<int>(std::bit_width((last - first) / (many / A_DAY)));
    days_.renew(((last - first) >> day_bits_) + 1);
  }

  std::uint64_t three_quarters() const {
    std::array<std::uint64_t, ASKED> times;  // NOLINT: unset on purpose
    const std::size_t step = later_.size() / ASKED;
    for (std::size_t at = 0; at != ASKED; ++at) {
      times[at] = later_[at * step].time;
    }
    const auto found = times.begin() + 3 * ASKED / 4;
    std::nth_element(times.begin(), found, times.end());
    return *found;
  }

  KeyHeap today_;  // the keys before `tomorrow_`
  KeyLists days_;  // of the year, today's taken
  Keys later_;     // the keys of other years
  std::uint64_t tomorrow_ = AT_NO_TIME;
  std::uint64_t new_year_ = 0;
  std::uint64_t day_ = 0;
  int day_bits_ = 0;
  std::size_t size_ = 0;
  std::size_t since_ = 0;  // keys that came since the year began
};

}  // namespace serq
