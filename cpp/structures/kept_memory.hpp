// Long memory that a run has given back and the next one takes (Linux): to have it cleared anew is
// a tenth of the time of a run with a million samples. The system may have its pages back at any
// time, should it need them, and gives cleared ones when they are written to again.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace serq {

struct MappedMemory {
  std::byte* bytes = nullptr;
  std::size_t size = 0;
};

// Of all runs of the process. Nobody waits for another thread, nor for one that was lost by a fork:
// who finds it busy goes to the system.
class KeptMemory {
 public:
  // The smallest that suffices; nothing when there is none.
  MappedMemory take(std::size_t size) {
    const std::unique_lock lock(busy_, std::try_to_lock);
    if (!lock) {
      return {};
    }
    MappedMemory* least = nullptr;
    for (MappedMemory& each : kept_) {
      if (each.size >= size && (least == nullptr || each.size < least->size)) {
        least = &each;
      }
    }
    if (least == nullptr) {
      return {};
    }
    total_ -= least->size;
    return std::exchange(*least, {});
  }

  // Whether it is kept.
  bool keep(const MappedMemory& memory) {
#if defined(MADV_FREE)
    const std::unique_lock lock(busy_, std::try_to_lock);
    if (!lock || total_ + memory.size > MOST) {
      return false;
    }
    for (MappedMemory& each : kept_) {
      if (each.size == 0 && madvise(memory.bytes, memory.size, MADV_FREE) == 0) {
        each = memory;
        total_ += memory.size;
        return true;
      }
    }
#else
    static_cast<void>(memory);
#endif
    return false;
  }

 private:
  static constexpr std::size_t MOST = std::size_t{64} << 20;

  std::mutex busy_;
  std::array<MappedMemory, 16> kept_{};
  std::size_t total_ = 0;
};

inline constinit KeptMemory kept_memory;

}  // namespace serq
