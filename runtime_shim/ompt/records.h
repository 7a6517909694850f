// What the shim remembers of a parallel region and of a task region: the data words and frames that OMPT shows to a
// tool.
//
// A record lives in a pool (pool.h) whose memory is never given back, so a signal handler that follows a pointer which
// has just gone stale still reads a record; `Parallel::generation` tells it that the answer is worth nothing. Written
// by the thread that runs the task (or encounters the region), read by the handlers of the threads under it.
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
};

// How far a detachable task has come.
enum class DetachProgress : uint8_t {
  kRunning,     // its code has not ended, its event is not fulfilled
  kFulfilling,  // the fulfillment of its event is being reported
  kFulfilled,   // its event is fulfilled
  kEnding,      // the end of its code is being reported
  kEnded,       // its code has ended: it lives on until its event is fulfilled
};

// In the order of their use by an explicit task, which touches the first two cache lines and a little of the third.
struct alignas(64) Task {
  ompt_data_t data;    // the tool's
  ompt_frame_t frame;  // exit: where the runtime called the task's code; enter: where that code called the runtime
  // The task region that goes on when this one is done: for an explicit task the one it interrupted on its thread, for
  // an implicit task the one that encountered the region. What ompt_get_task_info calls the next ancestor level. NULL
  // for an initial task.
  Task* scheduling_parent;
  Parallel* parallel;  // the region it belongs to
  int flags;           // ompt_task_flag_t
  int thread_num;      // in its team

  // Of an explicit task only.
  void (*function)(void*);  // the outlined function
  void* argument;           // and its argument, in libgomp's memory or, if `argument_is_apart`, in memory of its own
  uint32_t epoch;           // of the tool (activation.h) that was told of its creation
  bool argument_is_apart;
  bool may_be_discarded;  // libgomp would throw it away instead of starting it if its region or taskgroup is cancelled
  bool is_cancelled;      // it has met a cancellation point that is active, and ends there
  DetachProgress progress;
  uintptr_t event;  // libgomp's handle of the event that a detachable task waits for, 0: not detachable

  // Bit 0 belongs to the innermost taskgroup that the task has open, bit 1 to the one around it, and so on: 1 where a
  // reduction is registered for the taskgroup, whose end then combines the private copies.
  uint64_t taskgroup_reductions;
  Target* target;            // the target region that it executes, or is in a construct of
  Target* open_data;         // the innermost target data region that it has open
  uint32_t loops_begun;      // the same in every implicit task of a team: names the loop that an ordered belongs to
  bool is_reducing;          // a reduction has been reported to begin
  bool barrier_closes_work;  // the next barrier is the one at the end of a single or scope
  bool has_started;
  Task* next;  // in a free list, or in the table of events (gomp/detach.cc)

  size_t argument_size;    // of an explicit task; 0: not a copy of the task's own
  Work work;               // the worksharing region it is in
  unsigned team_size;      // of an implicit task: actual
  const void* codeptr_ra;  // of an implicit task: the region's, for the ends that are reported when it is gone
};

struct Parallel {
  ompt_data_t data;         // the tool's
  Task* encountering_task;  // NULL for the region around an initial task
  Thread* primary;          // the thread that encountered it
  // Odd while the region is running; one more when it has ended. A reader on another thread compares before and after.
  std::atomic<uint32_t> generation;
  unsigned requested_parallelism;
  std::atomic<unsigned> team_size;  // 0 until a thread of the team has said
  int flags;                        // ompt_parallel_flag_t
  const void* codeptr_ra;
  ompt_state_t work_state;  // of a thread that runs the code of its tasks: serial outside all parallel regions
  void (*function)(void*);  // the outlined function and its argument
  void* argument;
  Work work;       // of a combined construct, begun by every thread at the start of its implicit task
  Parallel* next;  // in a free list
};

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
  uint32_t epoch;           // of the tool (activation.h) that was told of it
  void (*function)(void*);  // the outlined function
  Target* next;             // in a free list, or the target data region around this one
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_RECORDS_H_
