// The collector's records of parallel regions: a record for each instance. parallel_data and samples refer to records.
//
// Only sampled regions need the call path that creates them. So parallel_begin costs a record and no unwind. The first
// sample inside marks the record. The encountering thread fills in the path once: when it is itself sampled inside the
// region, or at parallel_end.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_REGION_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_REGION_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/team.h"

namespace ompprof::collect {

struct RegionCounts;

// A record's address in the low 48 bits, and its generation above them. Records are reused but never unmapped, so a
// reference that outlives its region is noticed. 0: no region.
using RegionRef = uint64_t;

struct RegionRecord {
  std::atomic<uint16_t> generation;
  std::atomic<uint16_t> session;  // of the process: a forked child's old records are void
  std::atomic<bool> live;         // between parallel_begin and parallel_end
  std::atomic<bool> sampled;      // a sample refers to it
  uint16_t level;                 // number of regions around it
  bool league;                    // a teams construct
  uint16_t phase;                 // the phase in which it was begun
  std::atomic<uint32_t> actual_team_size;
  uint32_t requested_team_size;
  uint64_t codeptr_ra;
  uint64_t begin_ns;
  RegionRef parent;           // the region around it
  RegionCounts* counts;       // of its construct; belongs to the encountering thread
  Participation encountered;  // the encountering thread's participation in `parent`: a task, or not
  bool inside;                // a team of several threads is around it
  bool outermost;             // it is such a team itself, and no such team is around it

  // The place of its creation: tree << 32 | node, the encountering thread's youngest user frame; 0: not known yet.
  // `splice` is written before it.
  std::atomic<uint64_t> context;
  RegionRef splice;  // the region whose path continues that path

  Team team;  // the waiting threads of the team

  // The ends of this record's last instances. A worker may hear of its region's end only after the record serves
  // another instance.
  static constexpr uint32_t kEnds = 8;
  struct End {
    std::atomic<uint64_t> ns;
    std::atomic<uint16_t> generation;
  };
  alignas(64) End ends[kEnds];  // by generation modulo kEnds

  // The sums of the ended instance, for the writer if the instance was sampled: see RegionRuns in the profile. Zero
  // without waits.
  struct Run {
    uint64_t end_wait_ns;
    uint64_t useful_ns;
    uint64_t useful_max_ns;
    uint64_t useful_min_ns;
    uint64_t team_ns;
    uint64_t estimated;  // 1: waits are estimated, and so is useful time. The sum is the number of such instances
  } run;

  // For the writer.
  uint32_t context_id;
  uint64_t retired_cycle;
  RegionRecord* next;  // in a free list or in the retired list
};

// The value of parallel_data for a team that is not a region of the program. LLVM's runtime runs each initial task of a
// teams construct in such a team.
inline constexpr RegionRef kTeamOfLeague = 1ull << 48;
// Likewise: the team of LLVM's hidden helper threads, which execute target tasks that nobody waits for. It lasts from
// the first such task to the process's end.
inline constexpr RegionRef kTeamOfHelpers = 2ull << 48;

inline RegionRecord* RegionOf(RegionRef ref) { return reinterpret_cast<RegionRecord*>(ref & 0xffffffffffffull); }

inline RegionRef MakeRef(RegionRecord* record) {
  return reinterpret_cast<uint64_t>(record) | static_cast<uint64_t>(record->generation.load(std::memory_order_relaxed))
                                                  << 48;
}

// The current process's number. It changes in a forked child.
extern std::atomic<uint16_t> region_session;

// Whether `ref` still names the instance that it was made for, ended or not. Async-signal-safe for any value that the
// collector put into parallel_data.
inline bool IsCurrent(RegionRef ref) {
  const RegionRecord* record = RegionOf(ref);
  if (record == nullptr) return false;
  return record->generation.load(std::memory_order_acquire) == ref >> 48 &&
         record->session.load(std::memory_order_relaxed) == region_session.load(std::memory_order_relaxed);
}

// Marks the region as sampled. False if the region has ended: then the reference must not be kept. Async-signal-safe.
inline bool MarkSampled(RegionRef ref) {
  if (!IsCurrent(ref)) return false;
  RegionRecord* record = RegionOf(ref);
  // First a store, then a load. parallel_end stores `live` and then loads `sampled`, so one of the two sees the other's
  // store.
  if (!record->sampled.load(std::memory_order_relaxed)) record->sampled.store(true, std::memory_order_seq_cst);
  return record->live.load(std::memory_order_seq_cst) && IsCurrent(ref);
}

// MarkEnd: called at parallel_end. EndOf: when the instance that `ref` names ended, as long as the record remembers
// this. 0: the instance has not ended, or ended long ago.
void MarkEnd(RegionRecord* record, uint64_t now_ns);
uint64_t EndOf(RegionRef ref);

// Records for one thread's regions. That thread's OMPT callbacks use the pool, never the handler. Records come back
// from the thread itself (not sampled), or from the writer (sampled, and read). Lock-free.
//
// LLVM's runtime does not wake workers that a smaller team does not need. These workers hear of their last region's end
// when they are needed again, if ever. So a record is not used for a team smaller than its last, until a team at least
// as large has ended: that team's threads have heard of all earlier ends.
class RegionPool {
 public:
  // A record with a new generation, `live`, for a team of at most `team_size` threads; NULL if memory is exhausted.
  RegionRecord* Allocate(uint32_t team_size);

  // Called at parallel_end, if `record` was not sampled.
  void FreeOwn(RegionRecord* record);

  // Called at parallel_end, if `record` was sampled: gives it to the writer.
  void Retire(RegionRecord* record);

  // Called by the writer: all records retired since the last call, linked by `next`.
  RegionRecord* TakeRetired() { return retired_.exchange(nullptr, std::memory_order_acquire); }

  // Called by the writer when nothing refers to `record` any more.
  void GiveBack(RegionRecord* record);

 private:
  // Makes kept records of teams with at most `team_size` threads free again. It looks only at the records that were
  // kept last.
  void TakeBackKept(uint32_t team_size);

  RegionRecord* free_ = nullptr;                    // the owner's
  RegionRecord* kept_ = nullptr;                    // the owner's: must not serve smaller teams than their last
  uint32_t kept_least_ = 0;                         // smallest team among them, or smaller; 0: there are none
  std::atomic<RegionRecord*> given_back_{nullptr};  // from the writer to the owner
  std::atomic<RegionRecord*> retired_{nullptr};     // from the owner to the writer
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_REGION_H_
