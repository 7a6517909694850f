// The figures of a job that are compared between its members: which there are, and how a member's rows add up to them.
// A plan is made once, from the view of the unified processes, so it knows functions, constructs and locks as reports
// show them. Its tables go to all workers.
#ifndef OMPPROF_PROFILER_UNIFY_FIGURES_H_
#define OMPPROF_PROFILER_UNIFY_FIGURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/unify/member_log.h"
#include "profiler/unify/packer.h"
#include "profiler/unify/unified_program.h"

namespace ompprof::unify {

// What a figure is of.
struct Subject {
  SpreadKind kind = SPREAD_NONE;
  std::string name;
  std::string file;
  uint32_t line = 0;
  uint32_t parent = 0;  // of a path: the number of the enclosing path's subject, from 1; 0: none
};

// The subjects of one program. Numbers of subjects count from 1 over all kinds; 0: none. A subject has one figure for
// each metric that its kind has.
struct Plan {
  std::vector<uint32_t> kinds;           // SpreadKind, by subject
  std::vector<uint32_t> path_parents;    // of paths: the subject; 0 of others
  std::vector<uint32_t> path_functions;  // of paths: the subject of their last function
  std::vector<uint32_t> outermost;       // of paths: 1 if no path around it ends with the same function
  // By the sample's index in the unified profile:
  std::vector<uint32_t> sample_paths;
  std::vector<uint32_t> sample_states;
  std::vector<uint32_t> sample_regions;
  std::vector<uint32_t> sample_threads;  // from 1
  std::vector<uint32_t> sample_uses;     // a Use
  // By the wait's index; 0 for a charge:
  std::vector<uint32_t> wait_places;
  std::vector<uint32_t> wait_states;
  std::vector<uint32_t> wait_regions;
  std::vector<uint32_t> wait_locks;
  std::vector<uint32_t> wait_in_regions;  // 1: not between regions
  // By the region's index:
  std::vector<uint32_t> regions;

  enum Use : uint32_t { kOther, kWork, kMpi, kWait };

  void Pack(Packer* to) const;
  void Unpack(Unpacker* from);
};

// Subject 1 of each plan is the run.
inline constexpr uint32_t kRun = 1;

// The number of metrics, and of figures of a subject.
inline constexpr uint32_t kMetrics = SpreadMetric_ARRAYSIZE;

// The index of a subject's figure in a member's values.
inline size_t FigureOf(uint32_t subject, SpreadMetric metric) {
  return static_cast<size_t>(subject - 1) * kMetrics + static_cast<size_t>(metric);
}

// A member's values of all figures. Reset before each member.
class Values {
 public:
  explicit Values(const Plan* plan);

  // Adds up the rows of a member. Their numbers are indexes in the unified profile.
  void Fill(const Member& member, const AddedRows& rows);

  uint64_t operator[](size_t figure) const { return values_[figure]; }

  // The work of the member's busiest thread, sampled weight.
  uint64_t BusiestThread() const;

  // The figures that are not 0, each once.
  const std::vector<size_t>& touched() const { return touched_; }

 private:
  void Clear();
  void Add(uint32_t subject, SpreadMetric metric, uint64_t value);
  void AddPath(uint32_t path, uint64_t weight, uint64_t wait);
  void AddSample(const AddedRows::Sample& sample);
  void AddWait(const AddedRows::Wait& wait);

  const Plan& plan_;
  std::vector<uint64_t> values_;
  std::vector<size_t> touched_;
  std::vector<uint64_t> thread_work_;
};

// A plan, and what only worker 0 needs.
struct NamedPlan {
  Plan plan;
  std::vector<Subject> subjects;
};

// The plans of unified processes, in their order.
std::vector<NamedPlan> MakePlans(const std::vector<const model::ProcessProfile*>& processes,
                                 std::vector<std::string>* warnings);

}  // namespace ompprof::unify

#endif  // OMPPROF_PROFILER_UNIFY_FIGURES_H_
