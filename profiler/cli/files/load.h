// Reads the profiles that a command was given, and complains of their faults. Results are exit statuses (complaint.h).
#ifndef OMPPROF_PROFILER_CLI_FILES_LOAD_H_
#define OMPPROF_PROFILER_CLI_FILES_LOAD_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "profiler/analyze/view/selection.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/profile_reader.h"
#include "profiler/model/symbol_cache.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::cli {

// What a command shows of its profiles.
struct LoadRequest {
  analyze::ViewKind kind = analyze::ViewKind::kUser;
  model::Timeline timeline = model::Timeline::kDrop;
  bool machine_too = false;  // Loaded::machine
  // With Timeline::kKeep: for all files together, see model::ReadOptions::most_timed. 0: no limit.
  size_t most_timed = 0;
  std::string rank = {};              // only processes of this MPI rank; empty: all
  bool job_serves = true;             // a unified job would answer as well: Load may say how to make one
  bool all_runs = false;              // else, of several runs, the newest only; Load says so
  analyze::Selection selection = {};  // the part of the run; without machine_too
};

// Views of the profiles. The profiles themselves are gone: a job's would not fit into memory together.
struct Loaded {
  explicit Loaded(const std::shared_ptr<model::SymbolCache>& names = std::make_shared<model::SymbolCache>())
      : cache(names), symbolizer(names), machine_symbolizer(names) {}

  std::shared_ptr<model::SymbolCache> cache;
  model::Symbolizer symbolizer;
  analyze::View view;    // its object files are numbered as in `symbolizer`
  std::string measured;  // model::Measured of all processes
  // With LoadRequest::machine_too: the machine view, without a timeline, and its own symbolizer.
  model::Symbolizer machine_symbolizer;
  analyze::View machine;
};

// Gives each process of `files` to `take`, and a process of several files once. A merged file and its parts have such
// processes. A folder stands for its profiles (profile_files.h), except for a unified job beside other profiles.
// The other profiles of the run that a file began are read with the file (profile_family.h).
// A process can become another program by exec, as numactl, env and scripts do. The new program's profile has a name of
// its own. If that profile is not among `files`, `take` gets the profile with the most samples.
// In each of these cases a sentence is printed, except with `quiet`. One process at a time is in memory, and of a
// process that became other programs, these programs' profiles.
// A unified job can have kept records of its processes. Their figures are also in the unified process, so `take` gets
// them only with `kept`.
void ReadNamed(const std::vector<std::string>& files, bool quiet, const model::ReadOptions& options,
               const std::function<void(model::ReadResult)>& take, bool kept = false);

// Whether `path` is one of `files`, which are read, or in one of these that is a folder. Complains if so: the caller
// must not write to `path` then.
bool IsInput(const std::string& path, const std::vector<std::string>& files);

// Writes `bytes` to `path`, or to standard output if `path` is "-". The file appears when it is complete. kFailure
// after a complaint.
int WriteOutput(const std::string& path, const std::string& bytes);

// Reads `files` and builds their view. Complains of each file that cannot be read to its end, and warns of object files
// without readable names. Returns kFailure if a file was damaged. If nothing could be read, `loaded->view.run` is
// empty. kUsage, after a complaint, if there are no processes of the rank that `request` names, or if they have nothing
// of its selection.
int Load(const std::vector<std::string>& files, const LoadRequest& request, Loaded* loaded);

// As Load, without complaints. `error`: the sentence about a file that has no readable process.
void LoadQuietly(const std::vector<std::string>& files, const LoadRequest& request, Loaded* loaded, std::string* error);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_FILES_LOAD_H_
