// Several profiles in one file: the records of each process as they are, one process after the other. `ompprof merge`
// calls it; ReadProfiles reads the result.
#ifndef OMPPROF_PROFILER_MODEL_MERGE_H_
#define OMPPROF_PROFILER_MODEL_MERGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/model/status.h"

namespace ompprof::model {

struct MergeResult {
  // Fine, or why `output` was not written: a sentence.
  Status status;

  // A sentence for each input that was left out, or of which only a part could be had.
  std::vector<std::string> complaints;

  uint64_t processes = 0;  // in `output`
  uint64_t bytes = 0;
};

// Merges `files` into `output`, which gets its name only when it is whole and may not be one of them. Records are
// copied one at a time; memory does not grow with the files. Of an input that is cut short or damaged the whole records
// before that are taken. A process that several inputs hold is taken once. Nothing is written if no input is readable.
MergeResult MergeProfiles(const std::vector<std::string>& files, const std::string& output);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_MERGE_H_
