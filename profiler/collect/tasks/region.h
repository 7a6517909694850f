// Parallel regions as the collector sees them: one record an instance, referred to from parallel_data and from samples.
//
// The call path that creates a region is wanted only for regions that are sampled, so parallel_begin costs a record and
// no unwind: the first sample inside marks the record; the encountering thread fills in the path once, when it is
// itself sampled inside the region or at parallel_end.
#ifndef OMPPROF_PROFILER_COLLECT_TASKS_REGION_H_
#define OMPPROF_PROFILER_COLLECT_TASKS_REGION_H_

#include <stdint.h>

#include <atomic>

#include "profiler/collect/blame/team.h"

namespace ompprof::collect {

struct RegionCounts;

// A record's address in the low 48 bits and its generation above: a reference that outlives its region is noticed,
// because records are reused but never unmapped. 0: none.
using RegionRef = uint64_t;

struct RegionRecord {
  std::atomic<uint16_t> generation;
  std::atomic<uint16_t> session;  // of the process: a forked child's old records are void
  std::atomic<bool> live;         // between parallel_begin and parallel_end
  std::atomic<bool> sampled;      // a sample refers to it
  uint16_t level;                 // regions around it
  bool league;                    // a teams construct
  uint16_t phase;                 // that it was begun in
  std::atomic<uint32_t> actual_team_size;
  uint32_t requested_team_size;
  uint64_t codeptr_ra;
  uint64_t begin_ns;
  RegionRef parent;           // the region around it
  RegionCounts* counts;       // of its construct; the encountering thread's own
  Participation encountered;  // what the encountering thread does there: a task, or not
  bool inside;                // a team of several threads is around it
  bool outermost;             // it is itself such a team, with none around it

  // Where it was created: tree << 32 | node, the encountering thread's youngest user frame; 0: not known yet. `splice`
  // is written before it.
  std::atomic<uint64_t> context;
  RegionRef splice;  // whose path continues that path

  Team team;  // who of it waits

  // When the last instances of this record ended: a worker may learn of its region's end after the record has gone on
  // to another.
  static constexpr uint32_t kEnds = 8;
  struct End {
    std::atomic<uint64_t> ns;
    std::atomic<uint16_t> generation;
  };
  alignas(64) End ends[kEnds];  // by generation modulo kEnds

  // Of the instance that has ended, for the writer if it was sampled: see RegionRuns in the profile. Zero without
  // waits.
  struct Run {
    uint64_t end_wait_ns;
    uint64_t useful_ns;
    uint64_t useful_max_ns;
    uint64_t useful_min_ns;
    uint64_t team_ns;
    uint64_t estimated;  // 1: waits, and with them useful time, are. Added up it is how many
  } run;

  // Writer's own.
  uint32_t context_id;
  uint64_t retired_cycle;
  RegionRecord* next;  // on a free list or the retired list
};

// In parallel_data of what is no region of the program's: the team in which LLVM's runtime has each of a teams
// construct's initial tasks run.
inline constexpr RegionRef kTeamOfLeague = 1ull << 48;
// Likewise: the team of threads by which LLVM's runtime has target tasks executed that nobody waits for (its hidden
// helper threads). It lasts from the first such task until the process ends.
inline constexpr RegionRef kTeamOfHelpers = 2ull << 48;

inline RegionRecord* RegionOf(RegionRef ref) { return reinterpret_cast<RegionRecord*>(ref & 0xffffffffffffull); }

inline RegionRef MakeRef(RegionRecord* record) {
  return reinterpret_cast<uint64_t>(record) | static_cast<uint64_t>(record->generation.load(std::memory_order_relaxed))
                                                  << 48;
}

// The current process's number: changes in a forked child.
extern std::atomic<uint16_t> region_session;

// `ref` names the instance it was made for, ended or not. Async-signal-safe for any value the collector put into
// parallel_data.
inline bool IsCurrent(RegionRef ref) {
  const RegionRecord* record = RegionOf(ref);
  if (record == nullptr) return false;
  return record->generation.load(std::memory_order_acquire) == ref >> 48 &&
         record->session.load(std::memory_order_relaxed) == region_session.load(std::memory_order_relaxed);
}

// Marks the region as sampled. False if it has ended: the reference must not be kept then. Async-signal-safe.
inline bool MarkSampled(RegionRef ref) {
  if (!IsCurrent(ref)) return false;
  RegionRecord* record = RegionOf(ref);
  // Store, then look: parallel_end stores `live`, then looks at `sampled`, so one of the two sees the other.
  if (!record->sampled.load(std::memory_order_relaxed)) record->sampled.store(true, std::memory_order_seq_cst);
  return record->live.load(std::memory_order_seq_cst) && IsCurrent(ref);
}

// At parallel_end. And when the instance that `ref` names ended, as long as the record remembers; 0: it has not, or
// that was long ago.
void MarkEnd(RegionRecord* record, uint64_t now_ns);
uint64_t EndOf(RegionRef ref);

// Records for one thread's regions. Used from that thread's OMPT callbacks, never in the handler; records come
// back either from the thread itself (not sampled) or from the writer (sampled, and read). Lock-free.
//
// LLVM's runtime does not wake workers that a smaller team has no use for: they hear of the end of their last region
// when they are next needed, if ever. So the record of a team is not used for a smaller one, until another as large has
// ended, whose threads have heard of all before.
class RegionPool {
 public:
  // A record with a new generation, `live`, for a team of at most `team_size`; NULL if memory is exhausted.
  RegionRecord* Allocate(uint32_t team_size);

  // At parallel_end, `record` being ended and not sampled.
  void FreeOwn(RegionRecord* record);

  // At parallel_end, sampled: over to the writer.
  void Retire(RegionRecord* record);

  // Writer: all records retired since the last call, linked by `next`.
  RegionRecord* TakeRetired() { return retired_.exchange(nullptr, std::memory_order_acquire); }

  // Writer: nothing refers to `record` any more.
  void GiveBack(RegionRecord* record);

 private:
  // Those of teams no larger than that, or some of them: of those that were put there last.
  void TakeBackKept(uint32_t team_size);

  RegionRecord* free_ = nullptr;                    // owner's
  RegionRecord* kept_ = nullptr;                    // owner's: not for teams smaller than theirs was
  uint32_t kept_least_ = 0;                         // none of them is of a smaller team; 0: there are none
  std::atomic<RegionRecord*> given_back_{nullptr};  // writer to owner
  std::atomic<RegionRecord*> retired_{nullptr};     // owner to writer
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_TASKS_REGION_H_
