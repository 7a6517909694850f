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
  analyze::View view;  // its object files are numbered as in `symbolizer`
};

// Prints "ompprof: `sentence`" on stderr, and `list` below it, a line each. Names in both may come from a hostile file:
// what a terminal would obey is replaced.
void Complain(const std::string& sentence, const std::vector<std::string>& list = {});

// Gives each process of `files` to `take`. Where a process became another program by exec, as numactl, env and scripts
// do, that one's profile has a name of its own: unless it is among `files`, what is given is the profile with most of
// the samples, and, but for `quiet`, a sentence about it is printed. A process that several files hold, as a merged one
// and its parts do, is given once; likewise.
void ReadNamed(const std::vector<std::string>& files, bool quiet, const std::function<void(model::ReadResult)>& take);

// Whether `path` is one of `files`, which are read: it is not to be written then. Complains if so.
bool IsInput(const std::string& path, const std::vector<std::string>& files);

// Writes `bytes` to `path`, which becomes that file when it is whole, or to standard output if that is "-". kFailure
// after a complaint.
int WriteOutput(const std::string& path, const std::string& bytes);

// Reads `files` and builds their view; complains of each file that cannot be read to its end, and warns of object files
// whose names could not be had. Returns kFailure if a file was damaged; `loaded->view.run` is empty if nothing
// could be read.
int Load(const std::vector<std::string>& files, analyze::ViewKind kind, Loaded* loaded);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_LOAD_H_
