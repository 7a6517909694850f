// The figures of a unified process (`merge --unify`) with their spread over its members, and its members one by one.
// BuildView puts them into the View.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_JOB_FIGURES_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_JOB_FIGURES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ompprof::model {
struct ProcessProfile;
}  // namespace ompprof::model

namespace ompprof::analyze {

// What a figure is of. The values are those of SpreadKind in the profile's format.
enum class FigureKind { kNone, kRun, kPath, kFunction, kRegion, kState, kWait, kLock };

// The quantity. The values are those of SpreadMetric, where each is explained.
enum class FigureMetric { kNone, kSampled, kSampledSelf, kWait, kCount, kElapsed, kUseful, kCpu, kMpi, kWork };

// A value from 0 to `most` over a job's members, and the members with it.
struct JobFigure {
  uint32_t process = 0;  // index into RunFacts::processes
  FigureKind kind = FigureKind::kNone;
  FigureMetric metric = FigureMetric::kNone;
  std::string name;  // of the function, construct, state or lock
  std::string file;
  uint32_t line = 0;
  uint32_t parent = 0;  // of a path: the number of a figure of the enclosing path, from 1 in the process; 0: none
  uint64_t sum = 0;     // of all members
  uint64_t min = 0;
  uint64_t max = 0;
  double mean = 0;
  double deviation = 0;    // the standard deviation
  uint64_t members = 0;    // with a value above 0
  std::string min_member;  // the first rank with the least value; empty: some members have 0
  std::string max_member;
  // The least value of a bucket, and the members in it: up to the next bucket's least value. Empty: the figure is
  // small.
  std::vector<std::pair<uint64_t, uint64_t>> histogram;

  // Maximum / mean, less 1.
  double Imbalance() const { return mean == 0 ? 0 : static_cast<double>(max) / mean - 1; }
};

// A member of a unified process; see MemberBatch.
struct JobMember {
  uint32_t process = 0;  // index into RunFacts::processes: the unified process
  std::string rank;
  std::string host;
  uint64_t pid = 0;
  uint32_t threads = 0;
  uint64_t duration_ns = 0;
  uint64_t cpu_ns = 0;
  uint64_t useful = 0;
  uint64_t useful_max = 0;  // of the busiest thread
  uint64_t mpi = 0;
  uint64_t wait_ns = 0;
  double deviation = 0;  // the distance from the mean member
  std::string reason;    // of a kept member: where it differs most
  bool kept = false;     // the file has its records
  // By column of ProcessFacts::job_time: the share of the time of all threads in 1/255. Empty: the member has no
  // timeline.
  std::string work_time;  // outside of MPI
  std::string mpi_time;
  std::string wait_time;  // in OpenMP, for a device or in a library, and idle
};

// The figures and members of one process, which is number `number` of the run. Empty: the process is not unified.
std::vector<JobFigure> JobFiguresOf(const model::ProcessProfile& process, uint32_t number);
std::vector<JobMember> JobMembersOf(const model::ProcessProfile& process, uint32_t number);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_JOB_FIGURES_H_
