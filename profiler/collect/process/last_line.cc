#include "profiler/collect/process/last_line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/write/writer.h"
#include "profiler/config/last_line.h"

namespace ompprof::collect {
namespace {

// The working folder of `record`; empty: no line is wanted.
char folder[PATH_MAX];

// In the foreground of the terminal that standard error is.
bool OnTerminal() {
  pid_t foreground = 0;
  return RawSyscall(SYS_ioctl, STDERR_FILENO, TIOCGPGRP, reinterpret_cast<long>(&foreground)) == 0 &&
         foreground == RawSyscall(SYS_getpgid, 0);
}

}  // namespace

void PrepareLastLine() {
  const char* wanted = getenv("OMPPROF_LAST_LINE");
  if (wanted != nullptr && strlen(wanted) < sizeof(folder)) strcpy(folder, wanted);
}

void PrintLastLine(const char* reason) {
  const char* path = OutputPath();
  if (folder[0] == '\0' || path[0] == '\0' || !config::EndsProcess(reason) || !OnTerminal()) return;
  constexpr char kBegin[] = "ompprof: ";
  constexpr char kEnd[] = "\r\n";  // the program may have left the terminal in its own mode
  static char line[4096];          // the stack of a signal handler, which may call _exit, can be small
  strcpy(line, kBegin);
  if (!config::LastLine(path, folder, line + strlen(kBegin), sizeof(line) - sizeof(kBegin) - sizeof(kEnd))) return;
  strcat(line, kEnd);
  RawSyscall(SYS_write, STDERR_FILENO, reinterpret_cast<long>(line), static_cast<long>(strlen(line)));
}

}  // namespace ompprof::collect
