// The libc functions that the collector stands in front of because they change the process's rights: namespaces, user
// and group ids, seccomp. Each wrapper does its part and calls the real function. Without a session, it only calls the
// real function.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/arch/syscall_jump.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/process/sealing.h"
#include "profiler/collect/process/without_helper.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// Calls `call` without our helper's thread, if possible.
template <typename Call>
int WithoutHelper(const char* name, Call call) {
  const int saved = errno;
  const OwnWork own_work;
  const uint64_t before = SetSignalMask(kAllSignals);  // a handler of the program might not return
  const bool alone = StopHelperBefore(name);
  errno = saved;
  const int result = call();
  const int failure = errno;
  if (alone) StartHelperAfter(name);
  SetSignalMask(before);
  errno = failure;
  return result;
}

// For a call that the kernel may refuse because of our helper's thread. Most uses are not refused, so the call is tried
// first.
template <typename Call>
int TryThenAlone(const char* name, Call call) {
  const int saved = errno;
  const int result = call();
  // EUSERS: the error of setns for a time namespace.
  if (result == 0 || (errno != EINVAL && errno != EUSERS) || !InSession()) return result;
  errno = saved;
  return WithoutHelper(name, call);
}

// For a call with which libc changes the ids of all threads.
template <typename Call>
int ChangeIds(const char* name, Call call) {
  if (!InSession() || !HelperHasOtherRights()) return call();
  return WithoutHelper(name, call);
}

// The system calls that the collector must know of. All except one are bits, counted from the first.
constexpr long kFirst = SYS_setuid;
constexpr bool IsFrom(long number) { return number >= kFirst && number < kFirst + 64; }
constexpr uint64_t Bit(long number) { return 1ull << (number - kFirst); }
static_assert(IsFrom(SYS_prctl) && IsFrom(SYS_setgid) && IsFrom(SYS_setgroups));
constexpr uint64_t kIds = Bit(SYS_setuid) | Bit(SYS_setgid) | Bit(SYS_setreuid) | Bit(SYS_setregid) |
                          Bit(SYS_setgroups) | Bit(SYS_setresuid) | Bit(SYS_setresgid);
constexpr uint64_t kSeen = kIds | Bit(SYS_prctl);

__attribute__((noinline, cold)) void BeforePrctl(int option, unsigned long mode, unsigned long program) {
  if (real.prctl == nullptr) FindRealFunctions();
  if (option == PR_SET_SECCOMP) BeforePrctlSeccomp(mode, program);
}

}  // namespace
}  // namespace ompprof::collect

using namespace ompprof::collect;

// libc's syscall(), once it is known. ompprof_before_syscall runs before the calls that the collector must know of, and
// returns libc's syscall().
extern "C" {
__attribute__((visibility("hidden"))) SystemCall ompprof_next_syscall = nullptr;
}
extern "C" __attribute__((visibility("hidden"), used, cold)) SystemCall ompprof_before_syscall(long number, long a,
                                                                                               long b, long c) {
  if (real.syscall == nullptr) FindRealFunctions();
  ompprof_next_syscall = real.syscall;
  if (number == SYS_seccomp)
    BeforeSeccomp(static_cast<unsigned long>(a), static_cast<unsigned long>(b), static_cast<unsigned long>(c));
  if (number == SYS_prctl && static_cast<int>(a) == PR_SET_SECCOMP)
    BeforePrctlSeccomp(static_cast<unsigned long>(b), static_cast<unsigned long>(c));
  if (IsFrom(number) && (kIds & Bit(number)) != 0) session.ids_apart.store(true, std::memory_order_relaxed);
  return real.syscall;
}

// syscall() and prctl() take variable arguments. libc's versions pass on as many arguments as the kernel can take. Our
// versions jump to libc's versions, which find registers and stack as the caller left them. Also a call that returns
// twice, or on another stack (clone), returns directly from libc.
OMPPROF_COLLECT_SYSCALL(kFirst, kSeen, SYS_seccomp)

// A function with five parameters is called in the same way: all parameters are in registers (System V ABI, x86-64,
// 3.2.3).
extern "C" __attribute__((visibility("default"))) int ompprof_prctl(int option, unsigned long a, unsigned long b,
                                                                    unsigned long c, unsigned long d) asm("prctl");
int ompprof_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  if (__builtin_expect(option == PR_SET_SECCOMP || real.prctl == nullptr, false)) BeforePrctl(option, a, b);
  return real.prctl(option, a, b, c, d);
}

OMPPROF_EXPORT int unshare(int flags) {
  if (real.unshare == nullptr) FindRealFunctions();
  return TryThenAlone("unshare", [&] { return real.unshare(flags); });
}

OMPPROF_EXPORT int setns(int fd, int type) {
  if (real.setns == nullptr) FindRealFunctions();
  return TryThenAlone("setns", [&] { return real.setns(fd, type); });
}

#define OMPPROF_COLLECT_IDS(name, parameters, arguments)          \
  OMPPROF_EXPORT int name parameters {                            \
    if (real.name == nullptr) FindRealFunctions();                \
    return ChangeIds(#name, [&] { return real.name arguments; }); \
  }
OMPPROF_COLLECT_IDS(setuid, (uid_t id), (id))
OMPPROF_COLLECT_IDS(seteuid, (uid_t id), (id))
OMPPROF_COLLECT_IDS(setreuid, (uid_t id, uid_t effective), (id, effective))
OMPPROF_COLLECT_IDS(setresuid, (uid_t id, uid_t effective, uid_t saved), (id, effective, saved))
OMPPROF_COLLECT_IDS(setgid, (gid_t id), (id))
OMPPROF_COLLECT_IDS(setegid, (gid_t id), (id))
OMPPROF_COLLECT_IDS(setregid, (gid_t id, gid_t effective), (id, effective))
OMPPROF_COLLECT_IDS(setresgid, (gid_t id, gid_t effective, gid_t saved), (id, effective, saved))
OMPPROF_COLLECT_IDS(setgroups, (size_t count, const gid_t* groups), (count, groups))
OMPPROF_COLLECT_IDS(initgroups, (const char* user, gid_t group), (user, group))
