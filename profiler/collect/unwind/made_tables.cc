#include "profiler/collect/unwind/made_tables.h"

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

TableSlot slots[kMostMadeTables];
std::atomic<uint32_t> slots_used{0};

bool IsLoaded(const TableSlot& slot) {
  LoadedObject found;
  const uintptr_t low = slot.low.load(kRelaxed);
  return low != 0 && FindLoadedObject(low, &found) && found.map == slot.map;
}

}  // namespace

void ClearMadeTables(uintptr_t low, uintptr_t high) {
  for (uint32_t i = 0; i < slots_used.load(kRelaxed); ++i) {
    if (slots[i].low.load(kRelaxed) < high && slots[i].high.load(kRelaxed) > low) slots[i].low.store(0, kRelaxed);
  }
}

TableSlot* FreeTableSlot(size_t room) {
  const uint32_t used = slots_used.load(kRelaxed);
  for (uint32_t i = 0; i < used; ++i) {
    if (slots[i].room < room || IsLoaded(slots[i])) continue;
    slots[i].low.store(0, std::memory_order_release);
    return &slots[i];
  }
  if (used == kMostMadeTables) return nullptr;
  TableSlot* slot = &slots[used];
  slot->pairs = static_cast<FdePair*>(MapFixed(room * sizeof(FdePair)));
  if (slot->pairs == nullptr) return nullptr;
  slot->room = room;
  slots_used.store(used + 1, std::memory_order_release);
  return slot;
}

bool FindMadeTable(uintptr_t pc, MadeTable* table) {
  const uint32_t used = slots_used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used && i < kMostMadeTables; ++i) {
    const TableSlot& slot = slots[i];
    const uintptr_t low = slot.low.load(std::memory_order_acquire);
    if (low == 0 || pc < low || pc >= slot.high.load(kRelaxed)) continue;
    const Object entries = {slot.entries_low.load(kRelaxed), slot.entries_high.load(kRelaxed), nullptr, false};
    *table = {low, entries, slot.pairs, slot.count.load(kRelaxed)};
    if (table->count != 0) return true;
  }
  return false;
}

}  // namespace ompprof::collect
