// Sorted tables of .eh_frame that the collector has made itself (table_maker.h), for objects whose linker wrote none.
// FindFde searches here.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_MADE_TABLES_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_MADE_TABLES_H_

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/unwind/object_finder.h"

namespace ompprof::collect {

// A pair of a table, as in .eh_frame_hdr: where a function begins and where its entry lies, both relative to a base.
struct FdePair {
  int32_t begin;
  int32_t entry;
};

// A table as readers find it, sorted by `begin`.
struct MadeTable {
  uintptr_t base;  // the object's lowest address
  Object entries;  // .eh_frame, to be read with checks
  const FdePair* pairs;
  uint32_t count;
};

constexpr uint32_t kMostMadeTables = 64;

// A place for a table. Written while handlers search: a handler may meet a slot that changes, and finds an entry that
// is gone or of another function. ParseFde tells. The pairs' memory stays where it is, and always has room for `count`.
struct TableSlot {
  std::atomic<uintptr_t> low;  // [low, high): the object; low is 0 if there is no table
  std::atomic<uintptr_t> high;
  std::atomic<uintptr_t> entries_low;  // [entries_low, entries_high): its .eh_frame
  std::atomic<uintptr_t> entries_high;
  std::atomic<uint32_t> count;
  FdePair* pairs;
  size_t room;          // of `pairs`
  const link_map* map;  // tells whether the object is still loaded
};

// Empties the tables of objects that lay in [low, high) before.
void ClearMadeTables(uintptr_t low, uintptr_t high);

// An empty slot with room for so many pairs, for the caller to fill: the slot of an object that is gone, or a new slot.
// NULL: there are 64 tables already, or there is no memory. Not in the handler; one thread at a time.
TableSlot* FreeTableSlot(size_t room);

// Finds the table of the object that contained `pc` when its table was made. Another object may lie there by now, so an
// entry found by the table must be asked for its range. Async-signal-safe.
bool FindMadeTable(uintptr_t pc, MadeTable* table);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_MADE_TABLES_H_
