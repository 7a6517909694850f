#include "profiler/collect/process/sealing.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/process/environment.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/sampling/event_counts.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

// A handler takes microseconds, but its thread may have lost the processor.
constexpr uint64_t kPatienceNs = 1000000000;
// A thread may block the signal by itself, which looks the same. So it is waited for until it has run for this long.
constexpr uint64_t kMostCpuOfHandlerNs = 10000000;
constexpr uint64_t kMomentNs = 100000;

void Pause() {
  static const uint32_t nothing = 0;
  FutexWait(&nothing, 0, kMomentNs);  // nobody wakes this thread: a short sleep
}

// The kernel refuses a filter to a thread that may still gain rights, unless the thread could administer the system.
bool MayInstallFilter() {
  if (RawSyscall(SYS_prctl, PR_GET_NO_NEW_PRIVS) == 1) return true;
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (RawSyscall(SYS_capget, reinterpret_cast<long>(&header), reinterpret_cast<long>(data)) != 0) return true;
  return (data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN)) != 0;
}

// Programs ask which filters the kernel supports by impossible filters (a NULL program).
bool IsFilter(unsigned long program) {
  sock_fprog filter;
  sock_filter first;
  return program != 0 && SafeRead(program, &filter, sizeof(filter)) && filter.len != 0 && filter.len <= BPF_MAXINSNS &&
         SafeRead(reinterpret_cast<uintptr_t>(filter.filter), &first, sizeof(first)) && MayInstallFilter();
}

// Whether the thread blocks the sampling signal, as every thread does in the handler, and does not sleep, as none does
// there.
bool MayBeInHandler(pid_t tid) {
  char path[64] = "/proc/self/task/";
  char* end = path + strlen(path);
  char digits[16];
  int count = 0;
  for (pid_t rest = tid; rest != 0 && count < 15; rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
  while (count > 0) *end++ = digits[--count];
  strcpy(end, "/status");
  char status[4096];
  status[ReadWholeFile(path, status, sizeof(status) - 1)] = '\0';
  const char* line = strstr(status, "\nSigBlk:");
  if (line == nullptr || strstr(status, "\nState:\tS") != nullptr) return false;
  const uint64_t blocked = strtoull(line + strlen("\nSigBlk:"), nullptr, 16);
  return (blocked >> (session.config.signal - 1) & 1) != 0;
}

// Waits for handlers under way: the return from a handler is a system call too.
void AwaitHandlers() {
  const uint64_t deadline = MonotonicNs() + kPatienceNs;
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread == this_thread || thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive) continue;
    const clockid_t clock = ThreadCpuClock(thread->identity.tid);
    const uint64_t most = ClockNs(clock) + kMostCpuOfHandlerNs;
    while (MayBeInHandler(thread->identity.tid) && ClockNs(clock) < most && MonotonicNs() < deadline) Pause();
  }
}

void AwaitThreadsInside() {
  const uint64_t deadline = MonotonicNs() + kPatienceNs;
  while (seal.inside.load(std::memory_order_acquire) != 0 && MonotonicNs() < deadline) Pause();
}

void DestroySources() {
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive) continue;
    EndCounts(thread);
    if (!thread->sampler.armed) continue;
    thread->sampler.source->destroy(thread);
    thread->sampler.armed = false;
  }
}

void End(const char* what) {
  const uint64_t before = SetSignalMask(kAllSignals);  // a handler of the program might not return
  if (session.active.load(std::memory_order_acquire))
    AddNote("sampling ended when the program gave up system calls (%s). The profile has nothing after that", what);
  ShutDownSession("seccomp");
  session.ended.store(true, std::memory_order_release);
  seal.process.store(true, std::memory_order_seq_cst);
  AwaitThreadsInside();
  if (session.source != nullptr) {
    DestroySources();
    GiveSignalBack(AwaitHandlers);
  }
  FinalizeShims();
  LeaveEnvironment();
  SetSignalMask(before);
}

void SealProcess(const char* what) {
  if (IsSealed()) return;
  const int saved = errno;
  const OwnWork own_work;
  if (session.pid != 0 && session.pid != getpid()) {
    sealed_vfork_child = true;
  } else {
    uint32_t nobody = 0;
    if (seal.begun.compare_exchange_strong(nobody, 1, std::memory_order_acq_rel)) {
      End(what);
      seal.begun.store(2, std::memory_order_release);
      FutexWake(&seal.begun);
    } else {
      while (seal.begun.load(std::memory_order_acquire) == 1) FutexWait(&seal.begun, 1, kMomentNs);
    }
  }
  errno = saved;
}

}  // namespace

void BeforePrctlSeccomp(unsigned long mode, unsigned long program) {
  if (IsSealed()) return;
  if (mode == SECCOMP_MODE_STRICT) SealProcess("seccomp, strict mode");
  if (mode == SECCOMP_MODE_FILTER && IsFilter(program)) SealProcess("seccomp filter");
}

void BeforeSeccomp(unsigned long operation, unsigned long flags, unsigned long program) {
  if (IsSealed()) return;
  if (operation == SECCOMP_SET_MODE_STRICT && flags == 0 && program == 0) SealProcess("seccomp, strict mode");
  if (operation == SECCOMP_SET_MODE_FILTER && IsFilter(program)) SealProcess("seccomp filter");
}

}  // namespace ompprof::collect
