// Runs another program for its output: objdump, the loader, a package manager. The reports and the commands call it.
#ifndef OMPPROF_PROFILER_MODEL_COMMAND_OUTPUT_H_
#define OMPPROF_PROFILER_MODEL_COMMAND_OUTPUT_H_

#include <string>
#include <vector>

namespace ompprof::model {

struct CommandOutput {
  std::string text;     // the standard output, as far as it came
  std::string problem;  // why the program did not run, or that it failed; empty: it succeeded
  bool ran = true;      // false: there is no such program, or it could not be started
};

// Runs the command, found by PATH, without input and error output.
CommandOutput RunForOutput(const std::vector<std::string>& words);

// Likewise: the text, or nothing if the program did not run or failed.
std::string OutputOf(const std::vector<std::string>& words);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_COMMAND_OUTPUT_H_
