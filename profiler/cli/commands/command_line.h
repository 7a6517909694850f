// The command line of ompprof, for main.cc.
#ifndef OMPPROF_PROFILER_CLI_COMMANDS_COMMAND_LINE_H_
#define OMPPROF_PROFILER_CLI_COMMANDS_COMMAND_LINE_H_

namespace ompprof::cli {

// Runs the command that main()'s arguments name. Returns the exit status.
int RunCommandLine(int argc, char** argv);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_COMMANDS_COMMAND_LINE_H_
