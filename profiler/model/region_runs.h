// Adds up records of a region's ended instances. The reader does it for the records of one process, the unifier for
// processes.
#ifndef OMPPROF_PROFILER_MODEL_REGION_RUNS_H_
#define OMPPROF_PROFILER_MODEL_REGION_RUNS_H_

#include "proto/callpath_profile.pb.h"

namespace ompprof::model {

// Adds the figures of `runs`. The context of `sum` stays.
inline void AddRuns(const RegionRuns& runs, RegionRuns* sum) {
  sum->set_ended(sum->ended() + runs.ended());
  sum->set_elapsed_ns(sum->elapsed_ns() + runs.elapsed_ns());
  sum->set_end_wait_ns(sum->end_wait_ns() + runs.end_wait_ns());
  sum->set_useful_ns(sum->useful_ns() + runs.useful_ns());
  sum->set_useful_max_ns(sum->useful_max_ns() + runs.useful_max_ns());
  sum->set_useful_min_ns(sum->useful_min_ns() + runs.useful_min_ns());
  sum->set_team_ns(sum->team_ns() + runs.team_ns());
  sum->set_estimated(sum->estimated() + runs.estimated());
}

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_REGION_RUNS_H_
