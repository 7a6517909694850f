// The line that names the profile at the end of a program that `ompprof record` started.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_LAST_LINE_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_LAST_LINE_H_

namespace ompprof::collect {

// Reads whether `record` asked for the line (OMPPROF_LAST_LINE), and which file standard error is. Called once, before
// threads exist, in the process that `record` started. The program may change its environment afterwards.
void PrepareLastLine();

// For a forked child: only the process that `record` started prints the line.
void ForgetLastLine();

// Prints the line if `reason`, the footer's, is an end of the process. Prints nothing if standard error is another file
// by now: the program may have opened its own data under that number. Prints nothing where the line could do harm: in
// the background of a terminal, or to a pipe that is full. A pipe without a reader sends no signal to the program.
// Async-signal-safe.
void PrintLastLine(const char* reason);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_LAST_LINE_H_
