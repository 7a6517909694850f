// Reading the profiles that a command was given, and saying what is wrong with them.
#ifndef OMPPROF_PROFILER_CLI_LOAD_H_
#define OMPPROF_PROFILER_CLI_LOAD_H_

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/model/process_profile.h"
#include "profiler/model/profile_reader.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::cli {

// Exit statuses.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  // something could not be read or written; what could be is shown
inline constexpr int kUsage = 2;    // the command line makes no sense

struct Loaded {
  std::deque<model::ProcessProfile> profiles;
  model::Symbolizer symbolizer;
  analyze::View view;  // refers to the two above
};

// Prints "ompprof: `sentence`" on stderr.
void Complain(const std::string& sentence);

// Gives each process of `files` to `take`. Where a process became another program by exec, as numactl, env and scripts
// do, that one's profile has a name of its own: unless it is among `files`, what is given is the profile with most of
// the samples, and, but for `quiet`, a sentence about it is printed.
void ReadNamed(const std::vector<std::string>& files, bool quiet, const std::function<void(model::ReadResult)>& take);

// Reads `files` and builds their view; complains of each file that cannot be read to its end, and warns of object files
// whose names could not be had. Returns kFailure if a file was damaged; `loaded->view` has no processes if nothing
// could be read.
int Load(const std::vector<std::string>& files, analyze::ViewKind kind, Loaded* loaded);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_LOAD_H_
