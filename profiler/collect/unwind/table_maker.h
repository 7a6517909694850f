// Makes sorted tables of .eh_frame (made_tables.h) for objects whose linker wrote none: --no-eh-frame-hdr leaves out
// the whole header, and linkers leave out the header's table if they cannot read an entry.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_TABLE_MAKER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_TABLE_MAKER_H_

#include <stdint.h>

namespace ompprof::collect {

// An object as the loader has mapped it.
struct MappedObject {
  uintptr_t low;  // [low, high): all of its segments
  uintptr_t high;
  uintptr_t load_bias;
  const char* path;  // of its file, whose section headers tell where .eh_frame lies in memory
};

// Makes a table if the object has no sorted table of its own. The object and its file may be gone or may have changed:
// all reads are checked, and entries outside the object are left out. The time is proportional to .eh_frame: 0.1 us for
// each function. True: a table has come, so that cached rules must go. Not in the handler; one thread at a time.
bool MakeTableIfNone(const MappedObject& object);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_TABLE_MAKER_H_
