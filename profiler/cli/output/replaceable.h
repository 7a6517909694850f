// Keeps the commands from writing over a file that is no earlier output of theirs: a profile, somebody's document.
#ifndef OMPPROF_PROFILER_CLI_OUTPUT_REPLACEABLE_H_
#define OMPPROF_PROFILER_CLI_OUTPUT_REPLACEABLE_H_

#include <string>
#include <string_view>

namespace ompprof::cli {

// What --force means in the help of a command with an output.
inline constexpr char kForceHelp[] =
    "Write over a file of any kind (default: only over an earlier output of the same kind)";

// How a command knows an earlier output of its own: by the first bytes, and by a mark in the first 64 KiB that other
// programs' files of the format do not have. Without first bytes: folded stacks, which have no place for a mark.
struct OwnFile {
  std::string_view begin;
  std::string_view mark;
};

// A web page, as page/index.html begins.
inline constexpr OwnFile kOwnPage = {"<!DOCTYPE html>", "<meta name=\"generator\" content=\"ompprof\">"};

// Whether a command may write `path`: nothing is there, or no regular file, or an empty one, or an earlier output.
// Otherwise complains. `force`: it may.
bool MayReplace(const std::string& path, const OwnFile& own, bool force);

// Likewise for a profile: only an earlier unified job, which can be made again, is replaced.
bool MayReplaceJob(const std::string& path, bool force);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OUTPUT_REPLACEABLE_H_
