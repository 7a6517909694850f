// The libc functions that a signal cuts short or makes fail, and that have no form with a signal mask. The timer of
// kOnCpuTimer is off during such a call (sampling/sleeping_call.h). Waits are in interpose_waits.cc, transfers in
// interpose_transfers.cc, functions with a mask of the program's in interpose_masks.cc.
// This file defines the plain names, not the checked versions that would replace them.
#undef _FORTIFY_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "profiler/collect/arch/syscall_jump.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/base/sleeping_functions.h"
#include "profiler/collect/process/socket_timeouts.h"
#include "profiler/collect/sampling/sleeping_call.h"

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13  // since Linux 5.14; headers of older systems lack it
#endif

namespace ompprof::collect {
namespace {

// A receiver waits for the first byte only, and then it goes on after a signal, unless it wants all.
bool ReceiveIsCut(int flags) {
  return (flags & MSG_DONTWAIT) == 0 && ((flags & MSG_WAITALL) != 0 || SocketsHaveTimeouts());
}

// The receiver of many messages returns at a signal with those that it has. It goes on if it has none yet, and if it
// waits for the first one only.
bool MessagesAreCut(unsigned count, int flags, const timespec* timeout) {
  const bool waits_for_more = count > 1 && (flags & MSG_WAITFORONE) == 0;
  return (flags & MSG_DONTWAIT) == 0 && (waits_for_more || timeout != nullptr || ReceiveIsCut(flags));
}

bool IsFutexWait(long operation) {
  const long command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI ||
         command == FUTEX_LOCK_PI2 || command == FUTEX_WAIT_REQUEUE_PI;
}

// Questions that every driver answers at once.
bool IsQuestion(unsigned long request) {
  return request == FIONREAD || request == FIONBIO || request == FIOCLEX || request == FIONCLEX || request == TCGETS ||
         request == TIOCGWINSZ || request == TIOCOUTQ;
}

}  // namespace

constexpr SystemCalls kSleeping(kSleepingCalls);
extern "C" __attribute__((used, visibility("hidden"))) const SystemCalls ompprof_sleeping_calls = kSleeping;

// A system call by number that a signal would cut short (syscall_jump.h).
extern "C" __attribute__((used, visibility("hidden"))) long ompprof_sleeping_syscall(long number, long a, long b,
                                                                                     long c, long d, long e, long f) {
  // The fourth argument of a futex call that does not wait may be anything.
  const bool sleeps = number != SYS_futex || IsFutexWait(b);
  const SleepingCall sleeping(real.syscall, sleeps);
  return AsLibc(RawSyscall(number, a, b, c, d, e, f));
}

}  // namespace ompprof::collect

using namespace ompprof::collect;

#define OMPPROF_COLLECT_SLEEPING(result, name, parameters, arguments, sleeps) \
  OMPPROF_EXPORT result name parameters {                                     \
    if (real.name == nullptr) FindRealFunctions();                            \
    const SleepingCall sleeping(real.name, sleeps);                           \
    return real.name arguments;                                               \
  }
OMPPROF_SLEEPING_FUNCTIONS(OMPPROF_COLLECT_SLEEPING)

// libc's internal name, which some libraries call.
OMPPROF_EXPORT int __connect(int fd, const sockaddr* address, socklen_t size) { return connect(fd, address, size); }

OMPPROF_EXPORT int setsockopt(int fd, int level, int option, const void* value, socklen_t size) {
  if (real.setsockopt == nullptr) FindRealFunctions();
  if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
    sockets_have_timeouts.store(true, std::memory_order_relaxed);
  return real.setsockopt(fd, level, option, value, size);
}

// Drivers decide what a signal does.
OMPPROF_EXPORT int ioctl(int fd, unsigned long request, ...) {
  if (real.ioctl == nullptr) FindRealFunctions();
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  const SleepingCall sleeping(real.ioctl, !IsQuestion(request));
  return real.ioctl(fd, request, argument);
}
