// A set of small whole numbers, a bit each; the next one is found 64 at a time.
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
  void set_end(std::uint64_t end) { words_.resize((end + WORD - 1) / WORD); }

  void fetch() const { serq::fetch(words_.data()); }

  bool empty() const { return size_ == 0; }
  bool has(std::uint64_t index) const { return (words_[index / WORD] & bit(index)) != 0; }

  // Bits of the members from `WORD * at` on.
  std::uint64_t word(std::uint64_t at) const { return words_[at]; }

  void add(std::uint64_t index) {
    size_ += has(index) ? 0 : 1;
    words_[index / WORD] |= bit(index);
  }

  void remove(std::uint64_t index) {
    size_ -= has(index) ? 1 : 0;
    words_[index / WORD] &= ~bit(index);
  }

  // The first member from `from` on; `end` if there is none before.
  std::uint64_t first_from(std::uint64_t from, std::uint64_t end) const {
    for (std::uint64_t word = from / WORD; word * WORD < end; ++word) {
      std::uint64_t bits = words_[word];
      if (word * WORD < from) {
        bits &= ~std::uint64_t{0} << (from % WORD);
      }
      if (bits != 0) {
        const std::uint64_t found =
            word * WORD + static_cast<std::uint64_t>(std::countr_zero(bits));
        return found < end ? found : end;
      }
    }
    return end;
  }

 private:
  static std::uint64_t bit(std::uint64_t index) { return std::uint64_t{1} << (index % WORD); }

  Items<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

}  // namespace serq
