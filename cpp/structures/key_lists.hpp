// Lists of keys in no order, many of them short, in blocks of a few keys: to put a key into a list
// is to write where the list ends.
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
  std::size_t lists() const { return newest_.size(); }

  // So many empty lists; those before were taken.
  void renew(std::size_t lists) { newest_.assign(lists, NONE); }

  void put(std::size_t list, const Key& key) {
    std::uint32_t at = newest_[list];
    if (at == NONE || blocks_[at].size == FULL) {
      at = add_block(list);
    }
    Block& block = blocks_[at];
    block.keys[block.size++] = key;
  }

  // Visits the keys of a list, which is empty then.
  template <typename Visit>
  void take(std::size_t list, const Visit& visit) {
    for (std::uint32_t at = newest_[list]; at != NONE;) {
      Block& block = blocks_[at];
      for (std::uint32_t key = 0; key != block.size; ++key) {
        visit(block.keys[key]);
      }
      const std::uint32_t older = block.older;
      block.older = free_;
      free_ = at;
      at = older;
    }
    newest_[list] = NONE;
  }

  void fetch_first(std::size_t list) const {
    if (newest_[list] != NONE) {
      fetch(&blocks_[newest_[list]], sizeof(Block));
    }
  }

 private:
  static constexpr std::uint32_t NONE = 0xffff'ffff;
  static constexpr std::uint32_t FULL = 5;

  struct alignas(2 * CACHE_LINE) Block {
    std::uint32_t older;  // of the same list, or the next one that is free
    std::uint32_t size;
    std::array<Key, FULL> keys;
  };

  [[gnu::noinline]] std::uint32_t add_block(std::size_t list) {
    std::uint32_t at = free_;
    if (at == NONE) {
      at = static_cast<std::uint32_t>(blocks_.size());
      blocks_.emplace_back();
    } else {
      free_ = blocks_[at].older;
    }
    blocks_[at].older = newest_[list];
    blocks_[at].size = 0;
    newest_[list] = at;
    return at;
  }

  std::vector<std::uint32_t> newest_;  // block of each list
  std::vector<Block, LargePages<Block>> blocks_;
  std::uint32_t free_ = NONE;
};

}  // namespace serq
