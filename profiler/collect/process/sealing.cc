#include "profiler/collect/process/sealing.h"

#include <dlfcn.h>
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
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/quirks/runtime_names.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

// A handler takes microseconds, but its thread may have lost the processor.
constexpr uint64_t kPatienceNs = 1000000000;
// A thread may block the signal by itself, which looks the same.
constexpr uint64_t kHandlerPatienceNs = 50000000;
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

// Whether the thread blocks the sampling signal, as every thread does in the handler.
bool IsInHandler(pid_t tid) {
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
  if (line == nullptr) return false;
  const uint64_t blocked = strtoull(line + strlen("\nSigBlk:"), nullptr, 16);
  return (blocked >> (session.config.signal - 1) & 1) != 0;
}

// Waits for handlers under way: the return from a handler is a system call too.
void AwaitHandlers() {
  const uint64_t deadline = MonotonicNs() + kHandlerPatienceNs;
  for (const ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread == this_thread || thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive) continue;
    while (IsInHandler(thread->identity.tid) && MonotonicNs() < deadline) Pause();
  }
}

void AwaitThreadsInside() {
  const uint64_t deadline = MonotonicNs() + kPatienceNs;
  while (seal.inside.load(std::memory_order_acquire) != 0 && MonotonicNs() < deadline) Pause();
}

void DestroySources() {
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (!thread->sampler.armed || thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive) continue;
    thread->sampler.source->destroy(thread);
    thread->sampler.armed = false;
  }
}

// Whether the variable loads the collector into a process.
bool LoadsLibraries(const char* entry) {
  return strncmp(entry, "LD_PRELOAD=", 11) == 0 || strncmp(entry, "OMP_TOOL_LIBRARIES=", 19) == 0;
}

const char* FileName(const char* path, size_t size, size_t* length) {
  size_t begin = size;
  while (begin > 0 && path[begin - 1] != '/') --begin;
  *length = size - begin;
  return path + begin;
}

bool IsOurs(const char* path, size_t size) {
  if (IsInstalledShim(path, size)) return true;
  size_t length = 0;
  const char* name = FileName(path, size, &length);
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&IsOurs), &self) == 0 || self.dli_fname == nullptr) return false;
  size_t own_length = 0;
  const char* own = FileName(self.dli_fname, strlen(self.dli_fname), &own_length);
  return length == own_length && memcmp(name, own, length) == 0;
}

bool IsSeparator(char c) { return c == ':' || c == ' '; }

// Copies `entry` without the collector's libraries to `out`, which has room for all of it. False: `entry` does not name
// the collector. *left: other libraries remain.
bool LeaveOut(const char* entry, char* out, bool* left) {
  const char* list = strchr(entry, '=') + 1;
  memcpy(out, entry, static_cast<size_t>(list - entry));
  char* to = out + (list - entry);
  const char* const begin = to;
  bool any = false;
  for (const char* at = list; *at != '\0';) {
    size_t size = 0;
    while (at[size] != '\0' && !IsSeparator(at[size])) ++size;
    if (size != 0 && IsOurs(at, size)) {
      any = true;
    } else if (size != 0) {
      if (to != begin) *to++ = ':';
      memcpy(to, at, size);
      to += size;
    }
    at += size;
    while (IsSeparator(*at)) ++at;
  }
  *to = '\0';
  *left = to != begin;
  return any;
}

// Serves programs that this process executes from now on, which libc does without our wrappers (posix_spawn, system).
// Changes the environment in place, as putenv would: other threads may be reading.
void LeaveEnvironment() {
  char** to = environ;
  for (char** from = environ; from != nullptr && *from != nullptr; ++from) {
    char* entry = *from;
    bool left = true;
    if (LoadsLibraries(entry)) {
      auto* copy = static_cast<char*>(MapFixed(strlen(entry) + 1));
      if (copy != nullptr && LeaveOut(entry, copy, &left)) entry = copy;
    }
    if (left) *to++ = entry;
  }
  if (to != nullptr) *to = nullptr;
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

bool WarnIfOutOfSight(char* const* environment) {
  const int saved = errno;
  Dl_info self;
  const bool gone = EnvironmentBytes(environment) != 0 && dladdr(reinterpret_cast<void*>(&IsOurs), &self) != 0 &&
                    self.dli_fname[0] == '/' && access(self.dli_fname, F_OK) != 0 && errno == ENOENT;
  if (gone)
    Warn("a program in another root directory runs unprofiled, because %s is not there. Mount it, or record inside",
         self.dli_fname);
  errno = saved;
  return gone;
}

size_t EnvironmentBytes(char* const* environment) {
  size_t count = 1;
  size_t bytes = 0;
  for (; environment != nullptr && *environment != nullptr; ++environment, ++count) {
    if (LoadsLibraries(*environment)) bytes += strlen(*environment) + 1;
  }
  return bytes == 0 ? 0 : count * sizeof(char*) + bytes;
}

char* const* EnvironmentWithoutUs(char* const* environment, void* memory) {
  if (EnvironmentBytes(environment) == 0) return environment;
  size_t count = 1;
  for (char* const* entry = environment; *entry != nullptr; ++entry) ++count;
  auto** out = static_cast<char**>(memory);
  auto* text = reinterpret_cast<char*>(out + count);
  char** to = out;
  for (char* const* from = environment; *from != nullptr; ++from) {
    bool left = true;
    if (LoadsLibraries(*from) && LeaveOut(*from, text, &left)) {
      if (left) *to++ = text;
      text += strlen(text) + 1;
    } else {
      *to++ = *from;
    }
  }
  *to = nullptr;
  return out;
}

}  // namespace ompprof::collect
