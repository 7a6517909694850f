// Keeps the commands from writing over a file that is no earlier output of theirs: a profile, somebody's document.
#ifndef OMPPROF_PROFILER_CLI_REPLACEABLE_H_
#define OMPPROF_PROFILER_CLI_REPLACEABLE_H_

#include <string>

namespace ompprof::cli {

// What --force means in the help of a command with an output.
inline constexpr char kForceHelp[] =
    "Write over a file of any kind (default: only over an earlier output of the same kind)";

// The first bytes of a web page, as html_page.cc writes it.
inline constexpr char kPageBegin[] = "<!DOCTYPE html>";

// Whether a command may write `path`: nothing is there, or no regular file, or an empty one, or a file that begins with
// `begin`. "": with a stack and its number, as folded stacks do. Otherwise complains. `force`: it may.
bool MayReplace(const std::string& path, const std::string& begin, bool force);

// Likewise for a profile: only an earlier unified job, which can be made again, is replaced.
bool MayReplaceJob(const std::string& path, bool force);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_REPLACEABLE_H_
