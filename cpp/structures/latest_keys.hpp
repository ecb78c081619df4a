// Which keys count, where a key may replace another one that nobody finds: of each place the latest
// one does, others are void.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "structures/key.hpp"

namespace serq {

class LatestKeys {
 public:
  // Whether the place had a key before, which is void now.
  bool replace(std::uint32_t place, std::uint64_t number) {
    if (place >= numbers_.size()) {
      numbers_.resize(place + std::size_t{1}, NO_KEY);
    }
    const bool had = numbers_[place] != NO_KEY;
    numbers_[place] = number;
    return had;
  }

  void forget(std::uint32_t place) { numbers_[place] = NO_KEY; }

  // How many void keys there are about.
  std::size_t note_void() { return ++void_; }

  // 1 of a key that counts; one that does not was found, and is no more.
  std::size_t check(const Key& key) {
    const auto counts = static_cast<std::size_t>(numbers_[key.place] == key.number);
    void_ -= 1 - counts;
    return counts;
  }

 private:
  static constexpr std::uint64_t NO_KEY = std::numeric_limits<std::uint64_t>::max();

  std::vector<std::uint64_t> numbers_;  // of the latest key of each place
  std::size_t void_ = 0;
};

// Where each place has one key at most, and nothing replaces it.
struct AllKeys {
  static void forget(std::uint32_t /*place*/) {}
  static std::size_t check(const Key& /*key*/) { return 1; }
};

}  // namespace serq
