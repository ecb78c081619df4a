// Objects that stay where they are, and are used again when they are given back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "structures/large_pages.hpp"

namespace serq {

// A record that is taken has whatever it was given back with: its user resets it, and so keeps
// the memory its vectors have. Each block has as many records as all before it, up to a limit.
template <typename Record>
class Slab {
 public:
  Record& take() {
    if (!free_.empty()) {
      Record& record = *free_.back();
      free_.pop_back();
      return record;
    }
    if (blocks_.empty() || blocks_.back().size() == blocks_.back().capacity()) {
      enlarge();
    }
    return blocks_.back().emplace_back();
  }

  void give_back(Record& record) { free_.push_back(&record); }

 private:
  static constexpr std::size_t FEWEST = 8;
  static constexpr std::size_t MOST = std::max(FEWEST, 2 * LARGE_PAGE / sizeof(Record));

  void enlarge() {
    total_ += blocks_.empty() ? 0 : blocks_.back().size();
    blocks_.emplace_back().reserve(std::clamp(total_, FEWEST, MOST));
  }

  std::vector<std::vector<Record, LargePages<Record>>> blocks_;
  std::vector<Record*> free_;
  std::size_t total_ = 0;
};

}  // namespace serq
