#include "profiler/collect/process/unseen_threads.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "profiler/collect/base/os.h"
#include "profiler/collect/process/thread_attach.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {
namespace {

constexpr const char* kTasks = "/proc/self/task";

// Between two looks while unseen threads compute, and at most. A look without such threads is one stat.
constexpr uint64_t kShortestNs = 20000000;
constexpr uint64_t kLongestNs = 320000000;
// A list of thousands of threads takes milliseconds. Looks take at most one in so many of them.
constexpr uint64_t kShare = 50;
// A thread that pthread_create makes is seen before it has used this much CPU time.
constexpr uint64_t kComputesNs = 3000000;
// More threads are not compared, and not taken in.
constexpr uint32_t kMostKnown = 4096;
constexpr uint32_t kMostUnseen = 256;

// A thread that this library has not seen begin.
struct Unseen {
  pid_t tid;
  uint64_t first_cpu_ns;  // by its CPU clock, at the first look that found it
  uint64_t cpu_ns;        // at the last look
  ThreadState* state;     // NULL: it is not sampled
  bool present;           // in the last list of threads
};

// Only the writer's thread uses it.
struct Looker {
  uint64_t next_ns;
  uint64_t interval_ns;
  uint32_t count;
  Unseen unseen[kMostUnseen];
  pid_t known[kMostKnown];
  uint32_t known_count;

  Unseen* Find(pid_t tid) {
    Unseen* found = std::find_if(unseen, unseen + count, [tid](const Unseen& one) { return one.tid == tid; });
    return found == unseen + count ? nullptr : found;
  }
};
Looker looker;

// The threads that are sampled or need no samples, sorted. False: there are too many.
bool ListKnown() {
  looker.known_count = 0;
  if (const int writer = WriterTid(); writer != 0) looker.known[looker.known_count++] = writer;
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive) continue;
    if (looker.known_count == kMostKnown) return false;
    looker.known[looker.known_count++] = thread->identity.tid;
  }
  std::sort(looker.known, looker.known + looker.known_count);
  return true;
}

// Takes note of a thread that is in the list of threads. True: it has computed since the last look.
bool Meet(pid_t tid) {
  Unseen* one = looker.Find(tid);
  const auto states = std::equal_range(looker.known, looker.known + looker.known_count, tid);
  const bool sampled_here = one != nullptr && one->state != nullptr;
  // It has attached itself: it is new, or took long to begin (under valgrind). Its entry goes as it is not present.
  if (states.second - states.first > (sampled_here ? 1 : 0)) {
    if (sampled_here)
      one->state->identity.end_cpu_ns.store(one->state->identity.start_cpu_ns, std::memory_order_relaxed);
    return false;
  }
  const uint64_t cpu_ns = ClockNs(ThreadCpuClock(tid));
  if (one == nullptr) {
    if (looker.count == kMostUnseen) return false;
    looker.unseen[looker.count++] = {tid, cpu_ns, cpu_ns, nullptr, true};
    return true;
  }
  const bool computed = cpu_ns != one->cpu_ns;
  one->present = true;
  one->cpu_ns = cpu_ns;
  if (one->state != nullptr) {
    one->state->identity.end_cpu_ns.store(cpu_ns, std::memory_order_relaxed);
  } else if (cpu_ns - one->first_cpu_ns >= kComputesNs) {
    one->state = AttachUnseenThread(tid);
  }
  return computed;
}

// True: a thread has computed since the last look.
bool MeetAll() {
  bool computed = false;
  const auto folder = static_cast<int>(
      RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(kTasks), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
  if (folder < 0) return false;
  struct Entry {  // linux_dirent64 of getdents64(2)
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[1];
  };
  alignas(Entry) static char entries[8192];
  for (;;) {
    const long bytes = RawSyscall(SYS_getdents64, folder, reinterpret_cast<long>(entries), sizeof(entries));
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const Entry*>(entries + at);
      at += entry->size;
      const int tid = atoi(entry->name);
      if (tid != 0) computed |= Meet(tid);
    }
  }
  RawSyscall(SYS_close, folder);
  return computed;
}

void DropGone() {
  for (uint32_t i = 0; i < looker.count;) {
    Unseen& one = looker.unseen[i];
    if (one.present) {
      one.present = false;
      ++i;
      continue;
    }
    if (one.state != nullptr) DetachUnseenThread(one.state);
    one = looker.unseen[--looker.count];
  }
}

}  // namespace

uint64_t CountThreads() {
  struct stat facts;
  if (RawSyscall(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(kTasks), reinterpret_cast<long>(&facts), 0) != 0 ||
      facts.st_nlink < 3)
    return 0;
  return facts.st_nlink - 2;
}

uint64_t LookForUnseenThreads() {
  if (!session.active.load(std::memory_order_acquire)) return kShortestNs;
  if (session.source->weight != WeightKind::kCpuTime) return 0;
  const uint64_t now = MonotonicNs();
  if (now < looker.next_ns) return looker.next_ns - now;
  const uint64_t threads = CountThreads();
  if (threads == 0 || !ListKnown()) return 0;
  bool computed = false;
  if (looker.count != 0 || threads != looker.known_count) {
    computed = MeetAll();
    DropGone();
  }
  const uint64_t longer = std::clamp(2 * looker.interval_ns, kShortestNs, kLongestNs);
  const uint64_t took = MonotonicNs() - now;
  looker.interval_ns = std::clamp(kShare * took, computed ? kShortestNs : longer, kLongestNs);
  looker.next_ns = now + looker.interval_ns;
  return looker.interval_ns;
}

void ForgetUnseenThreads() {
  looker.count = 0;
  looker.interval_ns = 0;
  looker.next_ns = 0;
}

}  // namespace ompprof::collect
