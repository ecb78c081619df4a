// Objects that stay where they are, and are used again when they are given back.
#pragma once

#include <deque>
#include <vector>

namespace serq {

// A record that is taken has whatever it was given back with: its user resets it, and so keeps
// the memory its vectors have.
template <typename Record>
class Slab {
 public:
  Record& take() {
    if (free_.empty()) {
      return storage_.emplace_back();
    }
    Record& record = *free_.back();
    free_.pop_back();
    return record;
  }

  void give_back(Record& record) { free_.push_back(&record); }

 private:
  std::deque<Record> storage_;
  std::vector<Record*> free_;
};

}  // namespace serq
