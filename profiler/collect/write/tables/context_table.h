// Numbers the call paths that create parallel regions (RegionContext.id in the profile). Each distinct path has one
// number, however many instances a region has. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_TABLES_CONTEXT_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_TABLES_CONTEXT_TABLE_H_

#include <stdint.h>

#include "profiler/collect/tasks/region.h"
#include "profiler/collect/write/tables/vector.h"

namespace ompprof::collect {

struct ContextDefinition {
  uint32_t id;
  uint64_t codeptr_ra;
  bool resolved;
  uint32_t tree;
  uint32_t node;
  uint32_t splice;
  uint32_t requested_team_size;
  uint32_t parent;
};

// Ended instances of a context.
struct ContextRuns {
  uint32_t id;
  uint64_t ended;
  uint64_t elapsed_ns;
  RegionRecord::Run sums;
};

class ContextTable {
 public:
  // The number of `ref`'s path; 0 if the reference is void. A region with an unknown path gets a number of its own. The
  // definition of this number follows once the path is known.
  uint32_t IdOf(RegionRef ref) { return IdOf(ref, 0); }

  // IdOf for a region that has ended, of which a thread may hear late. 0 also if another region uses the record now.
  uint32_t IdOfEnded(RegionRef ref);

  // Looks again at the regions with unknown paths.
  void ResolvePending();

  // The instance of `record` has ended and was sampled. Counts it with the instances of its context.
  void AddRun(RegionRecord* record);

  // The counts since the last ClearRuns, to be written: one entry for each context.
  Vector<ContextRuns>& runs() { return runs_; }
  void ClearRuns();

  // `record` will be reused.
  void Forget(RegionRecord* record);

  // Definitions made since the last ClearNew, to be written.
  Vector<ContextDefinition>& fresh() { return fresh_; }

 private:
  struct Entry {
    uint32_t tree;
    uint32_t node;
    uint32_t splice;
    uint32_t id;
    uint64_t codeptr_ra;
  };

  uint32_t IdOf(RegionRef ref, int depth);
  uint32_t Intern(uint32_t tree, uint32_t node, uint32_t splice, const RegionRecord& record, uint32_t parent);
  bool Grow();

  Entry* slots_ = nullptr;  // id 0: free
  uint32_t slot_count_ = 0;
  uint32_t used_ = 0;
  uint32_t last_id_ = 0;
  Vector<ContextDefinition> fresh_;
  Vector<RegionRecord*> pending_;
  Vector<ContextRuns> runs_;
  Vector<uint32_t> run_of_id_;  // index into `runs_` + 1; 0: no entry
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_TABLES_CONTEXT_TABLE_H_
