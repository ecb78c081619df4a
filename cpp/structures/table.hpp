// Records by number: a hash table without deletion marks, for look-up alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "structures/arena.hpp"

namespace serq {

// `Record` has a `number`. Linear probing; a removal moves the records behind it up.
template <typename Record>
class Table {
 public:
  Record* find(std::uint64_t number) const {
    if (places_.empty()) {
      return nullptr;
    }
    for (std::size_t at = home(number);; at = next(at)) {
      Record* record = places_[at];
      if (record == nullptr || record->number == number) {
        return record;
      }
    }
  }

  void insert(Record& record) {
    if (2 * (size_ + 1) > places_.size()) {
      enlarge();
    }
    put(record);
    ++size_;
  }

  void remove(const Record& record) {
    std::size_t gap = home(record.number);
    while (places_[gap] != &record) {
      gap = next(gap);
    }
    for (std::size_t at = next(gap); places_[at] != nullptr; at = next(at)) {
      const std::size_t wanted = home(places_[at]->number);
      if (((at - wanted) & mask()) >= ((at - gap) & mask())) {
        places_[gap] = places_[at];
        gap = at;
      }
    }
    places_[gap] = nullptr;
    --size_;
  }

 private:
  std::size_t mask() const { return places_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }

  std::size_t home(std::uint64_t number) const {
    return static_cast<std::size_t>((number * 0x9e3779b97f4a7c15U) >> 20) & mask();
  }

  void put(Record& record) {
    std::size_t at = home(record.number);
    while (places_[at] != nullptr) {
      at = next(at);
    }
    places_[at] = &record;
  }

  void enlarge() {
    Items<Record*> before(places_.empty() ? 8 : 2 * places_.size(), nullptr);
    before.swap(places_);
    for (Record* record : before) {
      if (record != nullptr) {
        put(*record);
      }
    }
  }

  Items<Record*> places_;
  std::size_t size_ = 0;
};

}  // namespace serq
