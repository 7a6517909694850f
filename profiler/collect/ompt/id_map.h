// What is known about the living things that a runtime names by numbers: parallel regions, tasks. The generations
// before TR6 have no data words in which a tool could keep this itself.
#ifndef OMPPROF_PROFILER_COLLECT_OMPT_ID_MAP_H_
#define OMPPROF_PROFILER_COLLECT_OMPT_ID_MAP_H_

#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// A lock-free map from ids to Values, in fixed memory. An operation looks at no more than kProbes places, however many
// things are alive. If an id's places are all taken, the id is not kept. Ids are not 0, and an id is never used again
// for another thing.
//
// Different threads may insert and erase different ids at the same time. A Value's address is valid for as long as its
// id is in the map.
template <typename Value, int kBits>
class IdMap {
 public:
  // The value of `id`, which is inserted if it is missing. NULL: there is no room. The value then has its old content
  // of another id, or zeros.
  Value* Insert(uint64_t id) {
    if (Value* known = Find(id)) return known;
    for (uint32_t probe = 0; probe < kProbes; ++probe) {
      Slot& slot = At(id, probe);
      uint64_t none = 0;
      if (slot.id.load(std::memory_order_relaxed) == none &&
          slot.id.compare_exchange_strong(none, id, std::memory_order_acq_rel))
        return &slot.value;
    }
    return nullptr;
  }

  // NULL: `id` is not kept.
  Value* Find(uint64_t id) {
    if (id == 0) return nullptr;
    for (uint32_t probe = 0; probe < kProbes; ++probe) {
      Slot& slot = At(id, probe);
      if (slot.id.load(std::memory_order_acquire) == id) return &slot.value;
    }
    return nullptr;
  }

  void Erase(uint64_t id) {
    if (id == 0) return;
    for (uint32_t probe = 0; probe < kProbes; ++probe) {
      Slot& slot = At(id, probe);
      if (slot.id.load(std::memory_order_acquire) == id) return slot.id.store(0, std::memory_order_release);
    }
  }

 private:
  static constexpr uint32_t kProbes = 8;
  static constexpr uint64_t kFibonacci = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio

  struct Slot {
    std::atomic<uint64_t> id;
    Value value;
  };

  Slot& At(uint64_t id, uint32_t probe) {
    return slots_[((id * kFibonacci >> (64 - kBits)) + probe) & ((1u << kBits) - 1)];
  }

  Slot slots_[1u << kBits];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_OMPT_ID_MAP_H_
