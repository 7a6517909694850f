// What to change, where the numbers say that it is worth it: each piece of advice with its evidence and what it would
// gain. Nothing is advised that would gain less than kWorthwhile of the run.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_H_

#include <cstdint>
#include <vector>

#include "profiler/analyze/efficiency.h"
#include "profiler/analyze/view.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

enum class AdviceKind {
  kStaticSchedule,  // uneven work, shared out evenly: schedule(dynamic)
  kUnevenTeam,      // uneven work that is no loop's: sections, single, tasks
  kChunkTooSmall,   // handing out iterations costs too much: larger chunks
  kWaitPolicy,      // threads spin that others need the processors of: OMP_WAIT_POLICY=passive
  kTooManyThreads,  // more threads compute than there are processors
  kShortCritical,   // a critical or lock about a few instructions: atomic or reduction
  kLongHeldLock,    // a lock held long while others wait: shorten what is done under it
  kContendedLock,   // between the two
  kRegionTooShort,  // serial execution would take less: if clause, or a larger region
  kTasksTooFine,    // creating tasks costs too much: cutoff, grainsize
  kBinding,         // threads move between sockets: OMP_PROC_BIND
  kSerialPart,      // serial time bounds the run
};

// "static-schedule"
const char* AdviceName(AdviceKind kind);

struct Advice {
  AdviceKind kind;
  FunctionId where = kNoFunction;      // the region, or the innermost function that most of the serial part is in
  Line place;                          // of a lock's or critical's acquisition
  OmptState state = OmptState::kNone;  // of the wait for it
  uint64_t wait_id = 0;                // of the lock
  uint32_t process = 0;
  uint64_t gain_ns = 0;  // wall time
  // Of the thread-time of waiting that the gain is reckoned from; the gain is off by as much / `threads`.
  Estimate estimate;
  // Evidence; which of them are set goes by the kind.
  double imbalance = 0;     // max / mean - 1 of the threads' useful time
  uint64_t wait_ns = 0;     // thread-time that waits take, or runtime overhead
  uint64_t of_ns = 0;       // what wait_ns is a part of: the threads' time in the region
  uint64_t count = 0;       // waits; region instances; tasks; chunks
  uint64_t each_ns = 0;     // mean of those
  uint64_t held_ns = 0;     // by a lock's holder, mean; 0: not known
  uint64_t iterations = 0;  // of a loop, each time
  uint64_t chunk = 0;       // iterations a chunk that is suggested, or of which there are
  double threads = 0;
  double cpus = 0;

  uint64_t gain_ci95_ns() const {
    return static_cast<uint64_t>(static_cast<double>(estimate.ci95_ns()) / (threads > 1 ? threads : 1));
  }
};

// By gain, descending.
std::vector<Advice> Advise(const View& view, const Efficiency& efficiency);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_H_
