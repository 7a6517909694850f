// A line at the bottom of the terminal with the progress of a long recording, and a line about the profile at the end,
// on a terminal or not.
// `ompprof record` starts them.
//
// A process of its own draws the lines. That process is no child of the program. While the progress is shown, the
// terminal's last row does not scroll, so the program's output stays as it is without the line, unfinished lines
// included. The method is apt's ("Dpkg::Progress-Fancy").
#ifndef OMPPROF_PROFILER_CLI_OUTPUT_PROGRESS_H_
#define OMPPROF_PROFILER_CLI_OUTPUT_PROGRESS_H_

#include <cstdint>
#include <string>

#include "profiler/model/record_log.h"

namespace ompprof::cli {

// The totals of a log so far. Each look reads on from the end of the last look.
class LogTotals {
 public:
  explicit LogTotals(model::ByteSource source) : log_(std::move(source)) {}

  // False if the rest of the log cannot be read.
  bool Read();

  uint64_t samples() const { return samples_; }
  uint64_t lost() const { return lost_; }
  // The reason in the log's footer; empty: the log has none.
  const std::string& end() const { return end_; }

 private:
  model::RecordLog log_;
  Record record_;
  bool opened_ = false;
  uint64_t samples_ = 0;
  uint64_t lost_ = 0;
  std::string end_;
};

// "ompprof: 1:05, 12,345 samples, 2 lost"
std::string ProgressText(uint64_t seconds, uint64_t samples, uint64_t lost);

// The profile that the collector is expected to write.
struct ExpectedProfile {
  std::string path;    // by the name of the program; empty: not known
  std::string run;     // the name of the run, in the profile's header
  std::string folder;  // where the name of a path below it begins; empty: not known
};

// Starts the progress line for the program that this process is about to become, and asks the collector for the line at
// the end. Standard error need not be a terminal for the last line. The progress is shown on a terminal only, and not
// in the first five seconds. On a terminal, both lines are shown only while the program is in the foreground. Of the
// ranks of an MPI job, rank 0 alone has a last line: hundreds of ranks would have hundreds. The collector prints the
// last line before the program's end is known to the shell, so the prompt follows. The process of the progress line
// prints it where the collector could not: for a program that a signal ended.
void StartProgress(const ExpectedProfile& expected);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OUTPUT_PROGRESS_H_
