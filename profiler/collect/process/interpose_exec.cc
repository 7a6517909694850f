// The libc functions by which a program executes another program. Each wrapper ends the session if the process becomes
// that program, keeps the collector out of a program that it must not be in, and calls the real function.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/process/environment.h"
#include "profiler/collect/process/executed_program.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/process/without_helper.h"
#include "profiler/collect/sampling/sleeping_call.h"

namespace ompprof::collect {
namespace {

// Calls `call`(environment), where the environment lacks the collector if the program must run without it. A program
// executed under a seal does.
template <typename Call>
int WithoutUsIfNeedful(const ExecutedProgram& program, char* const* environment, bool child, Call call) {
  LeaveWaitMask();
  if (!IsSealed() && !MustRunWithoutUs(program, environment, child)) return call(environment);
  void* memory = __builtin_alloca(EnvironmentBytes(environment));
  return call(EnvironmentWithoutUs(environment, memory));
}

// Calls `exec`(environment), which returns only if it fails. Then the program continues, and the session too.
template <typename Call>
int Exec(const ExecutedProgram& program, char* const* environment, Call exec) {
  return WithoutUsIfNeedful(program, environment, /*child=*/false, [&exec](char* const* with) {
    if (IsSealed()) {
      const bool child = sealed_vfork_child;
      sealed_vfork_child = false;  // this flag lies in the parent's memory
      const int result = exec(with);
      sealed_vfork_child = child;
      return result;
    }
    const bool ours = InSession();
    const int saved = errno;
    if (ours) BeforeExec();
    errno = saved;
    const int result = exec(with);
    const int failure = errno;
    if (ours) AfterFailedExec();
    errno = failure;
    return result;
  });
}

// libc's system and popen execute /bin/sh with the process's own environment, without our wrappers. So this process's
// environment loses the collector if that shell must run without it.
void BeforeShell() {
  LeaveWaitMask();
  if (!IsSealed() && MustRunWithoutUs({"/bin/sh"}, __environ, /*child=*/true)) LeaveEnvironment();
}

// Collects the variable arguments of the execl family, up to the NULL, in `argv`. `list` is left behind the NULL.
#define OMPPROF_COLLECT_ARGUMENTS(first, list, argv)                                \
  size_t count = 1;                                                                 \
  {                                                                                 \
    va_list counting;                                                               \
    va_start(counting, first);                                                      \
    while (va_arg(counting, char*) != nullptr) ++count;                             \
    va_end(counting);                                                               \
  }                                                                                 \
  char** argv = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
  va_list list;                                                                     \
  va_start(list, first);                                                            \
  argv[0] = const_cast<char*>(first);                                               \
  for (size_t i = 1; i <= count; ++i) argv[i] = va_arg(list, char*)

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT int execve(const char* path, char* const* argv, char* const* environment) {
  if (real.execve == nullptr) FindRealFunctions();
  return Exec({path}, environment, [&](char* const* with) { return real.execve(path, argv, with); });
}

OMPPROF_EXPORT int execv(const char* path, char* const* argv) { return execve(path, argv, __environ); }

OMPPROF_EXPORT int execvpe(const char* file, char* const* argv, char* const* environment) {
  if (real.execvpe == nullptr) FindRealFunctions();
  return Exec({file, AT_FDCWD, /*searched=*/true}, environment,
              [&](char* const* with) { return real.execvpe(file, argv, with); });
}

OMPPROF_EXPORT int execvp(const char* file, char* const* argv) { return execvpe(file, argv, __environ); }

OMPPROF_EXPORT int fexecve(int fd, char* const* argv, char* const* environment) {
  if (real.fexecve == nullptr) FindRealFunctions();
  const DescriptorPath program(fd);
  return Exec({program.path}, environment, [&](char* const* with) { return real.fexecve(fd, argv, with); });
}

// libc has this function since 2.34.
OMPPROF_EXPORT int execveat(int folder, const char* path, char* const* argv, char* const* environment, int flags) {
  const DescriptorPath descriptor(folder);
  const bool is_descriptor = (flags & AT_EMPTY_PATH) != 0 && path != nullptr && *path == '\0';
  const ExecutedProgram program = is_descriptor ? ExecutedProgram{descriptor.path} : ExecutedProgram{path, folder};
  return Exec(program, environment, [&](char* const* with) {
    return static_cast<int>(AsLibc(RawSyscall(SYS_execveat, folder, reinterpret_cast<long>(path),
                                              reinterpret_cast<long>(argv), reinterpret_cast<long>(with), flags)));
  });
}

OMPPROF_EXPORT int execl(const char* path, const char* first, ...) {
  OMPPROF_COLLECT_ARGUMENTS(first, list, argv);
  va_end(list);
  return execv(path, argv);
}

OMPPROF_EXPORT int execlp(const char* file, const char* first, ...) {
  OMPPROF_COLLECT_ARGUMENTS(first, list, argv);
  va_end(list);
  return execvp(file, argv);
}

OMPPROF_EXPORT int execle(const char* path, const char* first, ...) {
  OMPPROF_COLLECT_ARGUMENTS(first, list, argv);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return execve(path, argv, environment);
}

OMPPROF_EXPORT int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* argv, char* const* environment) {
  if (real.posix_spawn == nullptr) FindRealFunctions();
  return WithoutUsIfNeedful({path}, environment, /*child=*/true, [&](char* const* with) {
    return WithHelpersPlace([&] { return real.posix_spawn(child, path, actions, attributes, argv, with); },
                            [](int result) { return result == EAGAIN; });
  });
}

OMPPROF_EXPORT int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const* argv, char* const* environment) {
  if (real.posix_spawnp == nullptr) FindRealFunctions();
  return WithoutUsIfNeedful({file, AT_FDCWD, /*searched=*/true}, environment, /*child=*/true, [&](char* const* with) {
    return WithHelpersPlace([&] { return real.posix_spawnp(child, file, actions, attributes, argv, with); },
                            [](int result) { return result == EAGAIN; });
  });
}

OMPPROF_EXPORT int system(const char* command) {
  if (real.system == nullptr) FindRealFunctions();
  if (command != nullptr) BeforeShell();
  // The status of a shell that was not started is -1, or that of _exit(127).
  return WithHelpersPlace([command] { return real.system(command); },
                          [](int status) { return (status == -1 || status == 127 << 8) && errno == EAGAIN; });
}

OMPPROF_EXPORT FILE* popen(const char* command, const char* mode) {
  if (real.popen == nullptr) FindRealFunctions();
  BeforeShell();
  return WithHelpersPlace([command, mode] { return real.popen(command, mode); },
                          [](const FILE* stream) { return stream == nullptr && errno == EAGAIN; });
}
