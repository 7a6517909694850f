// Time by OpenMP state, for all threads and for each: sampled time and exact waits. The reports' tables of states read
// it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_STATE_TIMES_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_STATE_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct StateTime {
  uint64_t samples = 0;
  uint64_t weight = 0;   // of the samples
  uint64_t wait_ns = 0;  // thread-time of the state's waits; exact except for `estimate`
  uint64_t wait_count = 0;
  Estimate estimate = {};  // of wait_ns
};

struct ThreadStates {
  uint32_t process;              // index into RunFacts::processes
  uint32_t thread;               // Thread.id
  std::vector<StateTime> times;  // in the order of StateTimes::names
};

struct StateTimes {
  std::vector<std::string> names;  // see StateName; by weight, then by waiting, descending
  std::vector<StateTime> all;
  std::vector<ThreadStates> threads;  // by process and id; threads with samples or waits
};

StateTimes MeasureStates(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_STATE_TIMES_H_
