// The shim's records of parallel regions and of task regions: the data words and frames that OMPT shows to a tool.
//
// A record lives in a pool (pool.h) whose memory is never given back. So a signal handler that follows a stale pointer
// still reads a record, and `Parallel::generation` tells it that the answer is invalid. The thread that runs the task,
// or encounters the region, writes the record. The handlers of the threads under it read the record.
#ifndef RUNTIME_SHIM_OMPT_RECORDS_H_
#define RUNTIME_SHIM_OMPT_RECORDS_H_

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace gomp_ompt {

struct Parallel;
struct Target;
struct Thread;

// A worksharing region that a task is in. Loops end at a call; a single or scope ends, for an observer, at the next
// construct.
struct Work {
  ompt_work_t kind = static_cast<ompt_work_t>(0);  // 0: none
  uint64_t count = 0;                              // iterations, or sections, as the work callback gives it
  const void* codeptr_ra = nullptr;
  // Of a loop, for the logical number of an iteration: the value it begins with and how far it steps, up or down.
  uint64_t first = 0;
  uint64_t step = 1;
  bool down = false;
  unsigned dimensions = 0;  // of a doacross loop nest: how many numbers name an iteration

  bool operator==(const Work& other) const {
    return kind == other.kind && count == other.count && codeptr_ra == other.codeptr_ra && first == other.first &&
           step == other.step && down == other.down && dimensions == other.dimensions;
  }
};

// The progress of a detachable task.
enum class DetachProgress : uint8_t {
  kRunning,     // its code has not ended, its event is not fulfilled
  kFulfilling,  // the fulfillment of its event is being reported
  kFulfilled,   // its event is fulfilled
  kEnding,      // the end of its code is being reported
  kEnded,       // its code has ended: it lives on until its event is fulfilled
};

// Three cache lines. The fields that every new task clears (ClearTask in thread.h) lie together.
struct alignas(64) Task {
  ompt_data_t data;    // the tool's
  ompt_frame_t frame;  // exit: where the runtime called the task's code; enter: where that code called the runtime
  // The task region that goes on when this one is done: for an explicit task the one it interrupted on its thread, for
  // an implicit task the one that encountered the region. What ompt_get_task_info calls the next ancestor level. NULL
  // for an initial task.
  Task* scheduling_parent;
  Parallel* parallel;      // the region it belongs to
  int flags;               // ompt_task_flag_t
  int thread_num;          // in its team
  const void* codeptr_ra;  // of an implicit task: the region's, for the ends that are reported when it is gone

  // Of an explicit task.
  bool argument_is_apart;
  bool may_be_discarded;  // libgomp would throw it away instead of starting it if its region or taskgroup is cancelled
  bool is_cancelled;      // it has met a cancellation point that is active, and ends there
  DetachProgress progress;
  // Of any task.
  bool is_reducing;          // a reduction has been reported to begin
  bool barrier_closes_work;  // the next barrier is the one at the end of a single or scope
  bool has_started;
  uint32_t loops_begun;  // the same in every implicit task of a team: names the loop that an ordered belongs to
  uint32_t epoch;        // of an explicit task: of the tool (tool_state.h) that was told of its creation
  uintptr_t event;       // libgomp's handle of the event that a detachable task waits for, 0: not detachable
  // Bit 0 belongs to the innermost taskgroup that the task has open, bit 1 to the one around it, and so on: 1 where a
  // reduction is registered for the taskgroup, whose end then combines the private copies.
  uint64_t taskgroup_reductions;
  Target* target;        // the target region that it executes, or is in a construct of
  Target* open_data;     // the innermost target data region that it has open
  size_t argument_size;  // of an explicit task; 0: not a copy of the task's own
  Task* next;            // in a free list, or in the table of events (gomp/detach.cc)

  // Of an explicit task.
  void (*function)(void*);  // the outlined function
  void* argument;           // and its argument, in libgomp's memory or, if `argument_is_apart`, in memory of its own
  Work work;                // the worksharing region it is in
};
static_assert(sizeof(Task) == 192);

// A flag of the region around an initial task, beside OMPT's: libgomp has made a team of one for what is outside of all
// regions, and defers tasks there from then on.
inline constexpr int kHasImplicitTeam = 1 << 16;

// A cache line takes some 100 ns between two processors, a third of a whole region's time where these are near each
// other. So the threads of a team read only one line when they begin, and the encountering thread writes this line only
// if it changes. The threads do not read the second line, which the encountering thread writes for each region.
struct alignas(64) Parallel {
  Task* encountering_task;  // NULL for the region around an initial task
  Thread* primary;          // the thread that encountered it
  void (*function)(void*);  // the outlined function and its argument
  void* argument;
  const void* codeptr_ra;
  int flags;                // ompt_parallel_flag_t, kHasImplicitTeam
  ompt_state_t work_state;  // of a thread that runs the code of its tasks: serial outside all parallel regions
  bool begins_work;         // `work` is begun by every thread at the start of its implicit task

  // Odd while the region is running; one more when it has ended. A reader on another thread compares before and after.
  alignas(64) std::atomic<uint32_t> generation;
  std::atomic<unsigned> team_size;  // 0 until a thread of the team has said
  ompt_data_t data;                 // the tool's
  Parallel* next;                   // in a free list

  alignas(64) Work work;  // of a combined construct
};

// A region's record and the low bits of its generation in one word, for the threads of its team: they need not read the
// generation then. The record's address leaves 16 bits free above and 6 below. So a thread that the next regions leave
// out takes the same record for its own again for the length of one region in 2 million.
inline constexpr uint32_t kGenerationMask = (1u << 22) - 1;

inline void* PackRegion(Parallel* region) {
  const uint64_t generation = region->generation.load(std::memory_order_relaxed) & kGenerationMask;
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(region) | generation >> 6 << 48 | (generation & 63));
}
inline Parallel* PackedRegion(void* packed) {
  return reinterpret_cast<Parallel*>(reinterpret_cast<uintptr_t>(packed) & 0x0000ffffffffffc0);
}
inline uint32_t PackedGeneration(void* packed) {
  const auto bits = reinterpret_cast<uintptr_t>(packed);
  return static_cast<uint32_t>(bits >> 48 << 6 | (bits & 63));
}

// A region of a device construct: target, target data, target enter data, target exit data, target update.
struct Target {
  ompt_data_t data;      // the tool's, if it hears the events by their _emi callbacks, otherwise our target_id
  ompt_id_t host_op_id;  // likewise, of its last operation
  ompt_target_t kind;
  int device_num;
  const void* codeptr_ra;
  ompt_data_t* generating_data;  // of the task that encountered the construct
  ompt_data_t generating_copy;   // what that pointer names when the task may have ended before the region begins
  Task* task;                    // the target task; NULL for target data, which has none
  unsigned requested_num_teams;
  uint32_t epoch;           // of the tool (tool_state.h) that was told of it
  void (*function)(void*);  // the outlined function
  Target* next;             // in a free list, or the target data region around this one
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_RECORDS_H_
