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

  // A sentence for each input that was left out, or of which only a part was readable.
  std::vector<std::string> complaints;

  uint64_t processes = 0;  // in `output`
  uint64_t bytes = 0;
};

// Merges `files` into `output`. `output` must not be among `files`, and gets its name only when it is whole. Records
// are copied one at a time, so memory does not grow with the files. From an input that is cut or damaged, the whole
// records before the damage are taken. A process that several inputs hold is taken once. If no input is readable,
// nothing is written.
MergeResult MergeProfiles(const std::vector<std::string>& files, const std::string& output);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_MERGE_H_
