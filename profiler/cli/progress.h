// A line at the bottom of the terminal with the progress of a long recording. `ompprof record` starts the line.
//
// A process of its own draws the line. That process is no child of the program. While the line is shown, the terminal's
// last row does not scroll, so the program's output stays as it is without the line, unfinished lines included. The
// method is apt's ("Dpkg::Progress-Fancy").
#ifndef OMPPROF_PROFILER_CLI_PROGRESS_H_
#define OMPPROF_PROFILER_CLI_PROGRESS_H_

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

 private:
  model::RecordLog log_;
  Record record_;
  bool opened_ = false;
  uint64_t samples_ = 0;
  uint64_t lost_ = 0;
};

// "ompprof: 1:05, 12,345 samples, 2 lost"
std::string ProgressText(uint64_t seconds, uint64_t samples, uint64_t lost);

// Starts the line for the program that this process is about to become. Does nothing if standard error is no terminal.
// The line is not shown in the first five seconds, nor while the program is in the terminal's background. The line goes
// when the program ends.
void StartProgress();

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_PROGRESS_H_
