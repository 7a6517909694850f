// A line at the bottom of the terminal that says how a long recording is doing. `ompprof record` starts it.
//
// It is drawn by a process of its own, which is no child of the program. The terminal's last row is taken out of the
// part that scrolls while it is shown, so that what the program prints, a line that is not ended included, stays as it
// would be; the method is apt's ("Dpkg::Progress-Fancy").
#ifndef OMPPROF_PROFILER_CLI_PROGRESS_H_
#define OMPPROF_PROFILER_CLI_PROGRESS_H_

#include <cstdint>
#include <string>

#include "profiler/model/record_log.h"

namespace ompprof::cli {

// What a log says so far, read on from where the last look ended.
class LogTotals {
 public:
  explicit LogTotals(model::ByteSource source) : log_(std::move(source)) {}

  // False if the log cannot be read any further.
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

// Starts the line for the program that this process is about to become. Does nothing where standard error is no
// terminal. Nothing is shown in the first five seconds, nor while the program is not in the terminal's foreground; the
// line goes when the program ends.
void StartProgress();

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_PROGRESS_H_
