// The libc functions that make a process, and no program that is executed (interpose_exec.cc). Each wrapper calls the
// real function. If a limit refuses the process, our helper thread gives its place, and the real function is called
// again. The functions of pthread_atfork then run again, too.
//
// vfork returns twice, so no wrapper's frame may be there. Its place is given before, where a limit is low.
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <unistd.h>

#include "profiler/collect/arch/syscall_jump.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/process/without_helper.h"

namespace ompprof::collect {
namespace {

bool IsRefused(int child) { return child < 0 && errno == EAGAIN; }

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT pid_t fork() {
  if (real.fork == nullptr) FindRealFunctions();
  return WithHelpersPlace([] { return real.fork(); }, IsRefused);
}

// libc's other name of fork.
OMPPROF_EXPORT pid_t __fork() { return fork(); }

OMPPROF_EXPORT pid_t _Fork() {
  if (real._Fork == nullptr) FindRealFunctions();
  return WithHelpersPlace([] { return real._Fork(); }, IsRefused);
}

OMPPROF_EXPORT int forkpty(int* terminal, char* name, const termios* settings, const winsize* size) {
  if (real.forkpty == nullptr) FindRealFunctions();
  return WithHelpersPlace([&] { return real.forkpty(terminal, name, settings, size); }, IsRefused);
}

using Vfork = pid_t (*)();
extern "C" __attribute__((visibility("hidden"), used)) Vfork ompprof_before_vfork() {
  if (real.vfork == nullptr) FindRealFunctions();
  const int saved = errno;
  GivePlaceBefore();
  errno = saved;
  return real.vfork;
}

OMPPROF_COLLECT_VFORK(vfork)
OMPPROF_COLLECT_VFORK(__vfork)

// A call may have fewer arguments. Then the last ones here are whatever the registers and the stack hold, as in libc's
// own function.
extern "C" __attribute__((visibility("default"))) int ompprof_clone(int (*routine)(void*), void* stack, int flags,
                                                                    void* argument, void* parent_tid, void* tls,
                                                                    void* child_tid) asm("clone");
int ompprof_clone(int (*routine)(void*), void* stack, int flags, void* argument, void* parent_tid, void* tls,
                  void* child_tid) {
  if (real.clone == nullptr) FindRealFunctions();
  return WithHelpersPlace([&] { return real.clone(routine, stack, flags, argument, parent_tid, tls, child_tid); },
                          IsRefused);
}
