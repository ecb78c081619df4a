// A set of small whole numbers, a bit each; the next one is found 64 at a time. The first 64, which
// are all in most sets, need no list.
#pragma once

#include <bit>
#include <cstdint>

#include "structures/arena.hpp"
#include "structures/fetch.hpp"

namespace serq {

class IndexSet {
 public:
  static constexpr std::uint64_t WORD = 64;

  // All that are asked for are below `end`.
  void set_end(std::uint64_t end) { later_.resize(end == 0 ? 0 : (end - 1) / WORD); }

  void fetch() const {
    if (!later_.empty()) {
      serq::fetch(later_.data());
    }
  }

  bool empty() const { return size_ == 0; }
  bool has(std::uint64_t index) const { return (word(index / WORD) & bit(index)) != 0; }

  // Bits of the members from `WORD * at` on.
  std::uint64_t word(std::uint64_t at) const { return at == 0 ? first_ : later_[at - 1]; }

  void add(std::uint64_t index) {
    size_ += has(index) ? 0 : 1;
    word_of(index) |= bit(index);
  }

  void remove(std::uint64_t index) {
    size_ -= has(index) ? 1 : 0;
    word_of(index) &= ~bit(index);
  }

  // The first member from `from` on; `end` if there is none before.
  std::uint64_t first_from(std::uint64_t from, std::uint64_t end) const {
    for (std::uint64_t at = from / WORD; at * WORD < end; ++at) {
      std::uint64_t bits = word(at);
      if (at * WORD < from) {
        bits &= ~std::uint64_t{0} << (from % WORD);
      }
      if (bits != 0) {
        const std::uint64_t found =
            at * WORD + static_cast<std::uint64_t>(std::countr_zero(bits));
        return found < end ? found : end;
      }
    }
    return end;
  }

  // The members below `end`, as they are when their turn comes.
  template <typename Visit>
  void each(std::uint64_t end, const Visit& visit) const {
    for (std::uint64_t index = first_from(0, end); index != end; index = first_from(index + 1, end)) {
      visit(index);
    }
  }

 private:
  static std::uint64_t bit(std::uint64_t index) { return std::uint64_t{1} << (index % WORD); }

  std::uint64_t& word_of(std::uint64_t index) {
    return index < WORD ? first_ : later_[index / WORD - 1];
  }

  std::uint64_t first_ = 0;  // bits, as those of each of the later words
  Items<std::uint64_t> later_;
  std::uint64_t size_ = 0;
};

}  // namespace serq
