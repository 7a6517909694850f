// Decides whether a program that this process executes starts without the collector, because a preload would harm the
// program. The wrappers of exec and posix_spawn ask, also in a child of vfork: so nothing here allocates or takes a
// lock, and each question is a bounded number of system calls. A program may ask on the small stack of a signal
// handler: the answer takes 3 KB.
//
// Also tells of programs that start without the collector because the program gave them another environment.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_EXECUTED_PROGRAM_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_EXECUTED_PROGRAM_H_

#include <fcntl.h>

namespace ompprof::collect {

// A program, as a call of libc names it.
struct ExecutedProgram {
  const char* path;
  int folder = AT_FDCWD;
  bool searched = false;  // as execvp does: in PATH, and as a script of /bin/sh if the kernel cannot run it
};

// The program in an open file. `path` holds the path.
struct DescriptorPath {
  explicit DescriptorPath(int fd);
  char path[32];
};

// Whether `environment` loads the collector, and `program` must start without it. A line of ours says why, once for
// each reason in a process. `child`: a child of this process executes the program. Keeps errno.
bool MustRunWithoutUs(const ExecutedProgram& program, char* const* environment, bool child);

// From now on, MustRunWithoutUs tells of a program that is executed with an environment that does not load the
// collector: by one line, and a note in the profile. Does nothing unless `record` started this process: the line would
// come as often as a script starts such a program. Called once.
void TellOfOwnEnvironments();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_EXECUTED_PROGRAM_H_
