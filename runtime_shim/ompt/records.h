// What the shim remembers of a parallel region and of a task region: the data words and frames that OMPT shows to a
// tool.
//
// A record lives in a pool (pool.h) whose memory is never given back, so a signal handler that follows a pointer which
// has just gone stale still reads a record; `Parallel::generation` tells it that the answer is worth nothing. Written
// by the thread that runs the task (or encounters the region), read by the handlers of the threads under it.
#ifndef RUNTIME_SHIM_OMPT_RECORDS_H_
#define RUNTIME_SHIM_OMPT_RECORDS_H_

#include <omp-tools.h>
#include <stdint.h>

#include <atomic>

namespace gomp_ompt {

struct Parallel;
struct Thread;

// A worksharing region that a task is in. Loops end at a call; a single or scope ends, for an observer, at the next
// construct.
struct Work {
  ompt_work_t kind = static_cast<ompt_work_t>(0);  // 0: none
  uint64_t count = 0;                              // iterations, or sections, as the work callback gives it
  const void* codeptr_ra = nullptr;
};

struct Task {
  ompt_data_t data;    // the tool's
  ompt_frame_t frame;  // exit: where the runtime called the task's code; enter: where that code called the runtime
  // The task region that goes on when this one is done: for an explicit task the one it interrupted on its thread, for
  // an implicit task the one that encountered the region. What ompt_get_task_info calls the next ancestor level. NULL
  // for an initial task.
  Task* scheduling_parent;
  Parallel* parallel;      // the region it belongs to
  int flags;               // ompt_task_flag_t
  int thread_num;          // in its team
  unsigned team_size;      // of an implicit task: actual
  const void* codeptr_ra;  // of an implicit task: the region's, for the ends that are reported when it is gone
  bool has_started;
  Work work;   // the worksharing region it is in
  Task* next;  // in a free list, or in Parallel::unstarted
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
  void (*function)(void*);  // the outlined function and its argument
  void* argument;
  Work work;       // of a combined construct, begun by every thread at the start of its implicit task
  Parallel* next;  // in a free list
};

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_RECORDS_H_
