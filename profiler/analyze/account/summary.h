// A view's totals by OpenMP state, by thread and by reason of loss. The text report's first screen and the JSON report
// show them.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_SUMMARY_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/state_kind.h"
#include "profiler/analyze/view/view.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

struct StateCost {
  std::string name;  // see StateName
  Cost cost;
};

// The activities of a thread, as the reports add them up.
enum class Activity { kWork, kWait, kMpi, kOverhead, kIdle, kNoState, kOwn };
inline constexpr int kActivities = 7;

constexpr Activity ActivityOf(StateKind kind) {
  switch (kind) {
    case StateKind::kWork:
    case StateKind::kSerial:
      return Activity::kWork;
    case StateKind::kRegionEnd:
    case StateKind::kBarrier:
    case StateKind::kTasks:
    case StateKind::kLock:
    case StateKind::kTarget:
    case StateKind::kOtherWait:
    case StateKind::kLibrary:
      return Activity::kWait;
    case StateKind::kMpi:
      return Activity::kMpi;
    case StateKind::kIdle:
      return Activity::kIdle;
    case StateKind::kOwn:
      return Activity::kOwn;
    case StateKind::kNoState:
      return Activity::kNoState;
    case StateKind::kOverhead:
    case StateKind::kUnknown:
      break;
  }
  return Activity::kOverhead;
}
constexpr Activity ActivityOf(OmptState state) { return ActivityOf(KindOf(state)); }

struct ThreadCost {
  uint32_t process;  // index into RunFacts::processes
  uint32_t id;       // Thread.id; 0: threads that the file does not describe
  ThreadFacts thread;
  ThreadAccount account;
  Cost cost;
  Cost by_activity[kActivities];
};

struct LossCost {
  uint32_t reason;  // see LossName
  Cost cost;
};

struct Summary {
  std::vector<StateCost> states;    // by weight, descending
  std::vector<ThreadCost> threads;  // by process and id
  std::vector<LossCost> losses;     // the reasons that occurred; if LosesThreads, samples counts threads
  uint64_t lost_samples = 0;        // without the reason that counts threads
  uint64_t lost_weight = 0;
  uint64_t duration_ns = 0;  // of the longest process
  uint64_t cpu_ns = 0;       // of all processes, from their clocks
  bool complete = true;      // the profile of every process has an end
};

Summary Summarize(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_SUMMARY_H_
