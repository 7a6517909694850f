#include "profiler/collect/unwind/registered_frames.h"

#include <string.h>

#include <algorithm>
#include <atomic>

namespace ompprof::collect {
namespace {

// A hash table with a slot for each 256 bytes of a function. Slots are filled and emptied while handlers search. A
// handler may meet a slot that changes: it then finds an entry that is gone or of another function, and ParseFde tells.
constexpr unsigned kGranuleBits = 8;
constexpr uintptr_t kMostGranules = 1 << 12;  // of a function: 1 MiB
constexpr unsigned kSlotBits = 16;
constexpr unsigned kProbes = 32;

// Values of Slot::begin that are no function's.
constexpr uintptr_t kEmpty = 0;    // and has always been: a search ends here
constexpr uintptr_t kBusy = 1;     // a thread fills it
constexpr uintptr_t kRemoved = 2;  // may be filled again

struct Slot {
  std::atomic<uintptr_t> begin;  // [begin, end): the function
  std::atomic<uintptr_t> end;
  std::atomic<uintptr_t> entry;  // its FDE
};
Slot slots[1 << kSlotBits];

// The slot at step `probe` of the search for a granule.
Slot& SlotAt(uintptr_t granule, unsigned probe) {
  const auto hash = static_cast<uintptr_t>(granule * 0x9e3779b97f4a7c15u >> (64 - kSlotBits));
  return slots[(hash + probe) & ((1 << kSlotBits) - 1)];
}

void Fill(uintptr_t granule, const Fde& fde, uintptr_t entry) {
  for (unsigned probe = 0; probe < kProbes; ++probe) {
    Slot& slot = SlotAt(granule, probe);
    uintptr_t begin = slot.begin.load(std::memory_order_relaxed);
    if ((begin != kEmpty && begin != kRemoved) ||
        !slot.begin.compare_exchange_strong(begin, kBusy, std::memory_order_acquire))
      continue;
    slot.end.store(fde.pc_end, std::memory_order_relaxed);
    slot.entry.store(entry, std::memory_order_relaxed);
    slot.begin.store(fde.pc_begin, std::memory_order_release);
    return;
  }
}

void Clear(uintptr_t granule, const Fde& fde, uintptr_t entry) {
  for (unsigned probe = 0; probe < kProbes; ++probe) {
    Slot& slot = SlotAt(granule, probe);
    uintptr_t begin = fde.pc_begin;
    if (slot.entry.load(std::memory_order_relaxed) == entry &&
        slot.begin.compare_exchange_strong(begin, kRemoved, std::memory_order_release))
      return;
  }
}

// Calls `change`(granule, function, entry's address) for each granule of each function of a section.
template <class Change>
void EachGranule(const void* section, Change change) {
  constexpr Object kReadable = {1, UINTPTR_MAX, nullptr, true};  // by its owner's word
  const auto* at = static_cast<const uint8_t*>(section);
  for (bool first = true;; first = false) {
    uint32_t length;
    uint32_t id;
    memcpy(&length, at, sizeof(length));
    if (length == 0 || length == 0xffffffff) return;  // the end; no compiler writes entries of 4 GiB
    memcpy(&id, at + sizeof(length), sizeof(id));
    const auto address = reinterpret_cast<uintptr_t>(at);
    Fde fde;
    if (id != 0 && ParseFde(kReadable, address, /*scratch=*/nullptr, &fde)) {
      const uintptr_t begin = fde.pc_begin >> kGranuleBits;
      const uintptr_t end = std::min((fde.pc_end - 1) >> kGranuleBits, begin + kMostGranules - 1);
      for (uintptr_t granule = begin; granule <= end; ++granule) change(granule, fde, address);
    }
    if (first && id != 0) return;  // a single FDE
    at += sizeof(length) + length;
  }
}

}  // namespace

void AddRegisteredFrames(const void* begin) { EachGranule(begin, Fill); }

void RemoveRegisteredFrames(const void* begin) { EachGranule(begin, Clear); }

bool FindRegisteredFde(uintptr_t pc, EntryScratch* scratch, Fde* fde) {
  for (unsigned probe = 0; probe < kProbes; ++probe) {
    const Slot& slot = SlotAt(pc >> kGranuleBits, probe);
    const uintptr_t begin = slot.begin.load(std::memory_order_acquire);
    if (begin == kEmpty) return false;
    if (begin <= kRemoved || pc < begin || pc >= slot.end.load(std::memory_order_relaxed)) continue;
    scratch->reads = 0;
    return ParseFde(kNoObject, slot.entry.load(std::memory_order_relaxed), scratch, fde) && pc >= fde->pc_begin &&
           pc < fde->pc_end;
  }
  return false;
}

}  // namespace ompprof::collect
