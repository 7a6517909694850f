// Advice: a change to a program that its profile suggests, with evidence and gain. A refusal: a region's potential gain
// for which no change is suggested, with the reason. The reports show both.
// Advice with a gain below kWorthwhile of the run's wall time is left out, except the kinds whose gain is not known.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_ADVICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/account/gain.h"
#include "profiler/analyze/view/view.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

enum class AdviceKind {
  kStaticSchedule,  // uneven work, distributed by a static schedule: schedule(dynamic,N)
  kUnevenTeam,      // uneven work outside loops: sections, single, tasks
  kChunkTooSmall,   // distributing iterations costs too much: larger chunks
  kTooManyThreads,  // more threads have work than there are processors
  kCpuQuota,        // the control group's limit keeps threads from running
  kAffinityMask,    // the process may run on fewer processors than it has threads, and the machine has more
  kBusyMachine,     // other programs use the processors
  kShortCritical,   // a critical or lock around a few instructions without calls: atomic or reduction
  kLongHeldLock,    // a lock held long while others wait: do less under the lock
  kContendedLock,   // another lock or critical that threads wait for: split it
  kAtomicUpdates,   // atomic updates of shared data: a reduction, or a copy for each thread
  kOutsideLock,     // a mutex, or a lock of the C library: no OpenMP events
  kRegionTooShort,  // serial execution would take less: if clause, or a larger region
  kTasksTooFine,    // creating tasks costs too much: cutoff, grainsize
  kFuseRegions,     // many regions lose a little each: fewer and larger regions, nowait
  kFewerThreads,    // what more threads cost is more than what they save
  kKeepData,        // each launch copies its data: target data
  kShortKernels,    // launching kernels takes longer than they do
  kTransfers,       // few launches, and copies take longer than kernels: map less, target data
  kNowaitLaunches,  // the host waits for kernels, and computes before or after: nowait
  kIdleDevice,      // the host computes while the device has nothing to do: more work for the device
  kOnTheHost,       // the host executed target regions although there is a device
  kBoundTogether,   // threads are bound to fewer processors than they are, and others are free
  kSharedCores,     // threads are bound to fewer cores than they are, and other cores are free
  kBinding,         // threads move between sockets: OMP_PROC_BIND
  kSerialPart,      // serial time bounds the run
  kNestedLibrary,   // a library that a region calls has threads of its own: its variable for the number of threads
  kReturnedMemory,  // the heap is given back to the system and faulted in again: glibc's variables, or keep the buffers
};

// "static-schedule"
const char* AdviceName(AdviceKind kind);

// Whether the advice is on the machine and the settings of this run, and not on the program.
bool IsOnMeasurement(AdviceKind kind);

struct Advice {
  AdviceKind kind;
  FunctionId where = kNoFunction;      // the region, or the innermost function with most of the serial part
  Line place;                          // the acquisition of the lock or critical; an atomic update
  std::string what;                    // kOutsideLock: "pthread mutex", "libc lock in rand"; kBoundTogether and
                                       // kSharedCores: the settings that bind threads, "OMP_PLACES={0}"
  OmptState state = OmptState::kNone;  // of the wait for the lock
  uint64_t wait_id = 0;                // the lock's
  uint32_t process = 0;
  uint64_t gain_ns = 0;  // wall time
  // Of the waits from which the gain is computed, in thread-time. The gain's error is this error / `threads`.
  Estimate estimate;
  // Evidence. Each kind of advice sets some of these figures.
  double imbalance = 0;       // max / mean - 1 of the threads' useful time
  uint64_t wait_ns = 0;       // thread-time of waits, or of runtime overhead
  uint64_t of_ns = 0;         // the whole that wait_ns is a part of: the threads' time in the region
  uint64_t count = 0;         // waits; region instances; tasks; chunks
  uint64_t each_ns = 0;       // mean of each counted thing
  uint64_t held_ns = 0;       // mean time that a holder has the lock; 0: not known
  uint64_t iterations = 0;    // of one execution of the loop
  uint64_t bytes = 0;         // copied; of kReturnedMemory: the most memory at a time
  uint64_t busy_ns = 0;       // of kernels
  uint64_t chunk = 0;         // iterations per chunk: suggested, or present
  bool maybe_static = false;  // kStaticSchedule: the runtime does not tell the loop's schedule
  bool in_waits = false;      // on processors: wait_ns and of_ns contain time in waits
  double threads = 0;
  uint32_t fewer_threads = 0;  // suggested
  uint64_t regions = 0;        // constructs that the advice is about, if `where` names none
  double cpus = 0;             // that the run may use
  uint32_t online_cpus = 0;    // of the machine; 0: not known
  double others_cpus = 0;      // the mean number that other programs used
  ProcessorNumbers bound_to;   // the threads' processors, and those that the process may use and no thread does
  ProcessorNumbers unused;
  uint64_t hidden_ns = 0;  // what uneven work would cost if every thread had a processor
  uint64_t asleep_ns = 0;  // of wait_ns: off the processor, although there was one

  // Of kNestedLibrary: "OpenBLAS" and "OPENBLAS_NUM_THREADS".
  const char* library = "";
  const char* variable = "";

  uint64_t gain_ci95_ns() const {
    return static_cast<uint64_t>(static_cast<double>(estimate.ci95_ns()) / (threads > 1 ? threads : 1));
  }
};

// Why a potential gain gives no advice.
enum class RefusalReason {
  kOthersAreLate,   // a different thread is late each time
  kEvenWork,        // the threads' CPU times differ no more than by chance
  kBusyProcessors,  // threads lacked processors, and their CPU times differ no more than that can make them differ
  kLittleWork,      // too little work between barriers
  kStaticAlready,   // scheduling takes the time of loops that have a static schedule
  kLongChunks,      // time in functions that hand out chunks, but the chunks are long
  kManyLocks,       // the waits are for several locks, and no lock alone is worthwhile
  kNoTaskIsReady,   // threads wait for tasks that others execute, and have none to execute themselves
  kRegionOverhead,  // creating and ending the region takes the time, but its work takes longer than that
  kNoTasks,         // time in the runtime's tasking functions, but the program created no task
  kSmallCauses,     // several causes, and none alone is worthwhile
  kSmallRegions,    // many regions, and none alone is worthwhile
};

// "others-are-late"
const char* RefusalName(RefusalReason reason);

struct Refusal {
  FunctionId region = kNoFunction;  // kNoFunction: all regions that are not worthwhile alone
  Cause cause = Cause::kImbalance;  // the largest, if there are several
  RefusalReason reason = RefusalReason::kSmallCauses;
  uint64_t gain_ns = 0;   // the potential gain: wall time
  uint64_t count = 0;     // of locks, regions, or meetings at barriers
  uint64_t work_ns = 0;   // kLittleWork: between two barriers, all threads together
  uint64_t fused_ns = 0;  // kSmallRegions: what fewer regions would save
};

struct Findings {
  std::vector<Advice> advice;     // on the program, then on the measurement; by gain, descending
  std::vector<Refusal> refusals;  // by gain, descending
  // The run was disturbed: threads lacked processors for this share of their working time, or other programs used this
  // many of the processors.
  bool disturbed = false;
  double lacking_share = 0;
  bool crowded = false;  // more threads than processors; the share is of the time in which they could run
  double others_cpus = 0;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_ADVICE_H_
