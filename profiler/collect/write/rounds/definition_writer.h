// Writes the definitions of the numbers that samples and sums have: labels, locks, and the call paths that create
// regions. Also writes the sums of ended regions. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_DEFINITION_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_DEFINITION_WRITER_H_

#include <stdint.h>

#include "profiler/collect/base/label_table.h"
#include "profiler/collect/tasks/region.h"
#include "profiler/collect/write/rounds/module_writer.h"
#include "profiler/collect/write/tables/context_table.h"

namespace ompprof::collect {

// In zeroed memory. Where a function returns false, the file does not take the records.
class DefinitionWriter {
 public:
  DefinitionWriter(ProfileFile* file, ModuleWriter* modules) : file_(file), modules_(modules) {}

  // A round begins. Takes the records of regions that have ended and were sampled.
  void CollectRetired();

  bool WriteLabels();
  // Before WriteContexts, because a lock may have a new call path.
  bool WriteLocks();
  bool WriteContexts();

  // At the end of a round. Gives records back to their threads once no handler can refer to them.
  void ReleaseRetired();

  ContextTable contexts;

 private:
  ProfileFile* const file_;
  ModuleWriter* const modules_;
  struct Retired {
    RegionRecord* record;
    RegionPool* pool;
  };
  Vector<Retired> retired_;
  uint64_t round_;
  uint32_t contexts_written_;  // number of contexts of contexts.fresh()
  uint32_t locks_written_;
  uint32_t labels_written_;
  bool label_written_[LabelTable::kMaxLabels];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_DEFINITION_WRITER_H_
