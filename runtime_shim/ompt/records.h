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

// x86-64: the frame pointer, and above it the return address, lie at the end of a frame. So the frame's canonical
// address lies this far behind the frame pointer.
inline constexpr int kFramePointerToCfa = 16;

struct Parallel;
struct Target;
struct Thread;

// A worksharing region that a task is in. A loop ends at a call. A single or scope ends, for an observer, at the next
// construct.
struct Work {
  ompt_work_t kind = static_cast<ompt_work_t>(0);  // 0: none
  uint64_t count = 0;                              // iterations, or sections, as in the work callback
  const void* codeptr_ra = nullptr;
  // Of a loop, for the logical number of an iteration: its first value and its step, up or down.
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
  kEnded,       // its code has ended; the task lives until its event is fulfilled
};

// Three cache lines. The fields that every new task clears (ClearTask in thread.h) lie together.
struct alignas(64) Task {
  ompt_data_t data;    // the tool's
  ompt_frame_t frame;  // exit: where the runtime called the task's code; enter: where that code called the runtime
  // The task region that continues when this task is done: the next ancestor level of ompt_get_task_info. For an
  // explicit task, this is the task that it interrupted on its thread. For an implicit task, this is the task that
  // encountered the region. NULL for an initial task.
  Task* scheduling_parent;
  Parallel* parallel;  // the region it belongs to
  int flags;           // ompt_task_flag_t
  int thread_num;      // in its team
  // Of the primary thread's implicit task: the region's, for ends that are reported after the region. NULL for the
  // other threads: their runtime, not the user's code, begins the barrier at the region's end.
  const void* codeptr_ra;

  // Of an explicit task.
  bool argument_is_apart;
  bool may_be_discarded;  // if its region or taskgroup is cancelled, libgomp would discard it unstarted
  bool is_cancelled;      // it has met an active cancellation point, and ends there
  DetachProgress progress;
  // Of any task.
  bool is_reducing;          // the begin of a reduction has been reported
  bool barrier_closes_work;  // the next barrier ends a single or scope
  bool has_started;
  uint8_t dependence_roles;  // what task_dependence.cc knows of the task; 0: nothing
  uint32_t loops_begun;      // equal in all implicit tasks of a team: names the loop of an ordered region
  uint32_t epoch;            // of an explicit task: epoch of the tool (tool_state.h) that heard of its creation
  union {
    uintptr_t event;     // libgomp's handle of a detachable task's event; 0: not detachable
    uint64_t region_id;  // of an implicit task, for a tool with integer ids: outlives the region's record
  };
  // Bit 0 belongs to the task's innermost open taskgroup, bit 1 to the taskgroup around it, and so on. 1: the taskgroup
  // has a registered reduction, and its end combines the private copies.
  uint64_t taskgroup_reductions;
  Target* target;        // the target region that the task executes, or has a construct of
  Target* open_data;     // the task's innermost open target data region
  size_t argument_size;  // of an explicit task; 0: the argument is not the task's own copy
  Task* next;            // in a free list, or in the table of events (gomp/detach.cc)

  // Of an explicit task.
  void (*function)(void*);  // the outlined function
  void* argument;           // its argument, in libgomp's memory or, if `argument_is_apart`, in its own memory
  Work work;                // the worksharing region it is in
};
static_assert(sizeof(Task) == 192);

// A flag of the region around an initial task, besides OMPT's flags. libgomp has made a team of one thread for the code
// outside all regions, and defers tasks there from then on.
inline constexpr int kHasImplicitTeam = 1 << 16;

// A cache line takes some 100 ns between two processors. This is a third of a whole region's time where the processors
// are near each other. So the threads of a team read only one line when they begin, and the encountering thread writes
// this line only if it changes. The threads do not read the second line, which the encountering thread writes for each
// region.
struct alignas(64) Parallel {
  Task* encountering_task;  // NULL for the region around an initial task
  Thread* primary;          // the thread that encountered it
  void (*function)(void*);  // the outlined function and its argument
  void* argument;
  const void* codeptr_ra;
  int flags;                // ompt_parallel_flag_t, kHasImplicitTeam
  ompt_state_t work_state;  // of a thread that runs the code of its tasks: serial outside all parallel regions
  bool begins_work;         // every thread begins `work` at the start of its implicit task

  // Odd while the region is running; one more after its end. A reader on another thread compares the values before and
  // after.
  alignas(64) std::atomic<uint32_t> generation;
  std::atomic<unsigned> team_size;  // 0 before a thread of the team has reported it
  ompt_data_t data;                 // the tool's
  Parallel* next;                   // in a free list

  alignas(64) Work work;  // of a combined construct
};

// A region's record and the low bits of its generation in one word. With it, the threads of the team need not read the
// generation. The record's address leaves 16 bits free above and 6 below. If a thread is left out of the next regions,
// it may once take the same record for its own again. This happens for the length of one region in 2 million.
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

// The map clauses of a device construct, in libgomp's form. The arrays are the program's, or copies.
struct MapClauses {
  size_t count;
  void** addresses;
  size_t* sizes;
  unsigned short* kinds;
  bool are_copies;
  bool are_reported;
};

// A region of a device construct: target, target data, target enter data, target exit data, target update.
struct Target {
  ompt_data_t data;      // the tool's, if it hears the events by _emi callbacks, otherwise our target_id
  ompt_id_t host_op_id;  // likewise, of the submission of the region's code
  ompt_target_t kind;
  int device_num;
  const void* codeptr_ra;
  ompt_data_t* generating_data;  // of the task that encountered the construct
  ompt_data_t generating_copy;   // that pointer's target if the task may end before the region begins
  Task* task;                    // the target task; NULL for target data, which has no task
  unsigned requested_num_teams;
  unsigned workers;         // of the pool that libgomp has for the region's code on the host
  uint32_t epoch;           // epoch of the tool (tool_state.h) that heard of it
  void (*function)(void*);  // the outlined function
  Target* next;             // in a free list, or the target data region around this one

  // Of a region on a device that the shim watches (gomp/device_target.h).
  uint32_t tag;              // the record's number; it stays with the record
  bool is_deferred;          // libgomp may run the target task later, on any thread of the team
  bool has_begun;            // the target task
  bool is_launched;          // libgomp has given the kernel to the device
  ompt_state_t state;        // of a thread that executes the target task
  ompt_state_t outer_state;  // of that thread before
  void* block;               // what libgomp has allocated on the device for the construct; NULL: nothing
  MapClauses maps;
  Task* generator;  // of a deferred one: the task that has the construct, the thread that executed it, and its region
  const Thread* maker;
  Parallel* region;
  Target* next_pending;  // in the list of deferred ones
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_RECORDS_H_
