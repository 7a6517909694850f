// The counts of one thread's worksharing constructs, by place. The thread's OMPT callbacks write them, and the writer
// reads them at any time.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_WORK_STATS_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_WORK_STATS_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/counts_table.h"

namespace ompprof::collect {

struct WorkKey {
  uint32_t type;   // ompt_work_t
  uint32_t epoch;  // epoch of the modules, for the addresses
  uint64_t codeptr_ra;
  uint64_t region;  // codeptr_ra of the innermost region; 0: none

  bool operator==(const WorkKey& other) const {
    return codeptr_ra == other.codeptr_ra && region == other.region && type == other.type && epoch == other.epoch;
  }
  uint64_t Hash() const { return codeptr_ra ^ region * 0xbf58476d1ce4e5b9ull ^ static_cast<uint64_t>(type) << 48; }
};

struct WorkCounts {
  WorkKey key;
  // One thread writes: relaxed loads and stores.
  std::atomic<uint64_t> count;       // how often the thread began it
  std::atomic<uint64_t> iterations;  // the runtime's figure at the begin: of all threads, or of this thread
  std::atomic<uint64_t> chunks;      // dispatch events within
  uint64_t written;                  // for the writer: count + chunks at the last write
};

using WorkStats = CountsTable<WorkCounts, WorkKey>;

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_WORK_STATS_H_
