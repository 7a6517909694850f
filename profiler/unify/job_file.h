// The file of a unified job: a unified process for each program, with its spreads and its members, and the records of
// members that are kept. worker 0 writes it.
#ifndef OMPPROF_PROFILER_UNIFY_JOB_FILE_H_
#define OMPPROF_PROFILER_UNIFY_JOB_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/model/process_profile.h"
#include "profiler/model/status.h"
#include "profiler/unify/deviation.h"
#include "profiler/unify/figures.h"
#include "profiler/unify/member_log.h"
#include "profiler/unify/member_times.h"
#include "profiler/unify/spread.h"

namespace ompprof::unify {

enum class Keep {
  kNone,      // no member is kept
  kOutliers,  // a row for each member, and the records of members that differ most
  kAll,       // the records of all members
};

// What is known of one member.
struct Measures {
  Deviation deviation;
  MemberTimes times;
};

struct JobProgram {
  model::ProcessProfile profile;  // the unified process
  const NamedPlan* plan = nullptr;
  const Spreads* spreads = nullptr;
  std::vector<const Member*> members;  // in their order
  std::vector<Measures> measures;      // by member; empty with Keep::kNone
};

struct JobFileResult {
  model::Status status;   // fine, or why the file was not written
  uint64_t outliers = 0;  // members that are kept because they differ most
  uint64_t bytes = 0;
};

// Replaces the file at `path` if everything can be written. Adds spreads and members to the programs' profiles.
JobFileResult WriteJobFile(const std::string& path, Keep keep, const TimeColumns& columns,
                           std::vector<JobProgram>* programs);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_JOB_FILE_H_
