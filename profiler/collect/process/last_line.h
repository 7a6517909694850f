// The line that names the profile, on the terminal, at the end of a program that `ompprof record` started.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_LAST_LINE_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_LAST_LINE_H_

namespace ompprof::collect {

// Reads whether `record` asked for the line (OMPPROF_LAST_LINE). Called once, before threads exist, in the process that
// `record` started. The program may change its environment afterwards.
void PrepareLastLine();

// Prints the line if `reason`, the footer's, is an end of the process. Prints nothing unless standard error is the
// process's terminal and the process is in its foreground: a line in a file or a pipe could be taken for the program's
// output, and a process in the background may not write. Async-signal-safe.
void PrintLastLine(const char* reason);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_LAST_LINE_H_
