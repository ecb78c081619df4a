// Lists of keys in no order, many of them short, in blocks of a few keys. To put a key into a list
// is to write where the list ends: nothing is read there, which may be far from the processor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "structures/fetch.hpp"
#include "structures/key.hpp"
#include "structures/large_pages.hpp"

namespace serq {

class KeyLists {
 public:
  std::size_t lists() const { return ends_.size(); }

  // So many empty lists; those before were taken.
  void renew(std::size_t lists) { ends_.assign(lists, NOTHING); }

  void put(std::size_t list, const Key& key) {
    if (ends_[list].size == FULL) {
      add_block(list);
    }
    End& end = ends_[list];
    blocks_[end.block].keys[end.size++] = key;
  }

  // Visits the keys of a list, which is empty then.
  template <typename Visit>
  void take(std::size_t list, const Visit& visit) {
    const End end = ends_[list];
    ends_[list] = NOTHING;
    std::uint32_t size = end.size;
    for (std::uint32_t at = end.block; at != NONE; size = FULL) {
      Block& block = blocks_[at];
      for (std::uint32_t key = 0; key != size; ++key) {
        visit(block.keys[key]);
      }
      const std::uint32_t older = block.older;
      block.older = free_;
      free_ = at;
      at = older;
    }
  }

  // What is read first of a list, and what is read then; the one before the other.
  void fetch_end(std::size_t list) const {
    if (list < ends_.size() && ends_[list].block != NONE) {
      fetch_record(&blocks_[ends_[list].block]);
    }
  }

  void fetch_before_end(std::size_t list) const {
    if (list < ends_.size() && ends_[list].block != NONE) {
      const std::uint32_t older = blocks_[ends_[list].block].older;
      if (older != NONE) {
        fetch_record(&blocks_[older]);
      }
    }
  }

 private:
  static constexpr std::uint32_t NONE = 0xffff'ffff;
  static constexpr std::uint32_t FULL = 10;

  // The latest block of a list, and how many keys that has; those before are full.
  struct End {
    std::uint32_t block;
    std::uint32_t size;
  };

  static constexpr End NOTHING{NONE, FULL};

  struct alignas(4 * CACHE_LINE) Block {
    std::array<Key, FULL> keys;
    std::uint32_t older;  // of the same list, or the next one that is free
  };

  [[gnu::noinline]] void add_block(std::size_t list) {
    std::uint32_t at = free_;
    if (at == NONE) {
      at = static_cast<std::uint32_t>(blocks_.size());
      blocks_.emplace_back();
    } else {
      free_ = blocks_[at].older;
    }
    blocks_[at].older = ends_[list].block;
    ends_[list] = {at, 0};
  }

  std::vector<End> ends_;
  std::vector<Block, LargePages<Block>> blocks_;
  std::uint32_t free_ = NONE;
};

}  // namespace serq
