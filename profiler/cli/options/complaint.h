// What commands tell besides their output: exit statuses, and sentences on stderr.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_COMPLAINT_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_COMPLAINT_H_

#include <string>
#include <vector>

namespace ompprof::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  // a file could not be read or written; the rest is shown
inline constexpr int kUsage = 2;    // the command line is not valid

// Prints "ompprof: `sentence`" on stderr, and below it `list`, a line for each member. Both may have names from a
// hostile file, so characters that a terminal would obey are replaced.
void Complain(const std::string& sentence, const std::vector<std::string>& list = {});

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_COMPLAINT_H_
