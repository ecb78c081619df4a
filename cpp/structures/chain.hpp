// A list through its members: a member is put anywhere and taken out in constant time.
#pragma once

#include <cstddef>
#include <type_traits>

namespace serq {

template <typename Record>
struct Links {
  Record* before = nullptr;
  Record* after = nullptr;
};

// `links` is the member that holds a record's neighbours; a record is in one such chain at most.
// `Size` is what it counts its members in: a number of its own, or a reference to one elsewhere.
template <typename Record, Links<Record> Record::* links, typename Size = std::size_t>
class Chain {
 public:
  Chain()
    requires(!std::is_reference_v<Size>)
  = default;
  explicit Chain(Size size) : size_(size) {}

  bool empty() const { return first_ == nullptr; }
  std::size_t size() const { return size_; }
  Record* first() const { return first_; }
  Record* last() const { return last_; }
  static Record* after(const Record& record) { return (record.*links).after; }
  static Record* before(const Record& record) { return (record.*links).before; }

  void push_back(Record& record) { insert(last_, record, nullptr); }
  void push_front(Record& record) { insert(nullptr, record, first_); }
  void insert_after(Record& place, Record& record) { insert(&place, record, after(place)); }

  void remove(Record& record) {
    Links<Record>& own = record.*links;
    (own.before == nullptr ? first_ : (own.before->*links).after) = own.after;
    (own.after == nullptr ? last_ : (own.after->*links).before) = own.before;
    own = {};
    --size_;
  }

 private:
  void insert(Record* before, Record& record, Record* after) {
    record.*links = {before, after};
    (before == nullptr ? first_ : (before->*links).after) = &record;
    (after == nullptr ? last_ : (after->*links).before) = &record;
    ++size_;
  }

  Size size_{};
  Record* first_ = nullptr;
  Record* last_ = nullptr;
};

}  // namespace serq
