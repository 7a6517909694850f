#include "profiler/collect/sampling/event_counts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/few_descriptors.h"
#include "profiler/collect/thread/session.h"
#include "profiler/config/perf_events.h"

namespace ompprof::collect {
namespace {

constexpr long kPage = 4096;

config::EventList events;
bool with_kernel = true;  // the events also count while the thread is in the kernel

// What read(2) gives of a group (perf_event_open(2), PERF_FORMAT_GROUP with both times).
struct GroupRead {
  uint64_t number;
  uint64_t enabled_ns;
  uint64_t running_ns;
  uint64_t values[kMostCountedEvents];
};

void Close(long fd) { RawSyscall(SYS_close, fd); }

// Opens the group for a thread. False: nothing is open, and `error` is the error number of the event `failed`.
bool Open(pid_t tid, int* descriptors, int* error, uint32_t* failed) {
  const auto open = [tid](perf_event_attr* attributes, int leader) {
    return RawSyscall(SYS_perf_event_open, reinterpret_cast<long>(attributes), tid, -1, leader, PERF_FLAG_FD_CLOEXEC);
  };
  const uint32_t opened = config::OpenGroup(events, with_kernel, open, descriptors, error);
  if (opened == events.size) return true;
  *failed = opened;
  for (uint32_t i = 0; i < opened; ++i) Close(descriptors[i]);
  return false;
}

// The kernel's number of the event behind a descriptor; 0: the descriptor is closed, or is no event.
uint64_t EventBehind(long fd) {
  uint64_t id = 0;
  return RawSyscall(SYS_ioctl, fd, PERF_EVENT_IOC_ID, reinterpret_cast<long>(&id)) == 0 ? id : 0;
}

// The same file under a number of the upper half of those that the limit allows, but not so high that the kernel's
// table would grow by much. The given number becomes free. Negative: there is no free number.
long MoveUp(long fd) {
  constexpr rlim_t kHigh = 4096;
  const long floor = static_cast<long>(std::min(DescriptorLimit() / 2, kHigh));
  const long high = RawSyscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, floor);
  Close(fd);
  return high;
}

std::atomic<bool> noted{false};  // a note has said that threads are not counted

void EndPages(ThreadCounts* counts) {
  for (std::atomic<long>& page : counts->pages) {
    if (const long at = page.exchange(0, std::memory_order_seq_cst); at != 0) RawSyscall(SYS_munmap, at, kPage);
  }
}

// A mapping of the event's first page, which nobody reads, keeps the event.
bool KeepByMapping(ThreadCounts* counts, const int* descriptors) {
  bool kept = true;
  for (uint32_t i = 1; i < events.size; ++i) {
    const long page = RawSyscall(SYS_mmap, 0, kPage, PROT_READ, MAP_SHARED, descriptors[i], 0);
    if (page > 0) counts->pages[i - 1].store(page, std::memory_order_seq_cst);
    kept = kept && page > 0;
    Close(descriptors[i]);
  }
  return kept;
}

void CloseLeader(ThreadCounts* counts) {
  const int fd = counts->fd.exchange(-1, std::memory_order_seq_cst);
  if (fd >= 0 && EventBehind(fd) == counts->leader) Close(fd);
}

bool Read(ThreadCounts* counts, GroupRead* group) {
  const int fd = counts->fd.load(std::memory_order_relaxed);
  const uint32_t size = events.size;
  const long bytes = static_cast<long>((3 + size) * sizeof(uint64_t));
  return fd >= 0 && EventBehind(fd) == counts->leader &&
         RawSyscall(SYS_read, fd, reinterpret_cast<long>(group), bytes) == bytes && group->number == size;
}

// Events beyond what the processor has counters for take turns. The counts are scaled to the whole time.
uint64_t Scaled(uint64_t count, uint64_t enabled_ns, uint64_t running_ns) {
  if (running_ns >= enabled_ns) return count;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(count) * enabled_ns / running_ns);
}

}  // namespace

bool ChooseCounts(char* error, size_t size) {
  session.counted_events = 0;
  if (session.config.count[0] == '\0') return true;
  config::ParseEvents(session.config.count, &events);  // ReadConfig has refused all other lists
  int descriptors[kMostCountedEvents];
  int number = 0;
  uint32_t failed = 0;
  with_kernel = true;
  bool opened = Open(0, descriptors, &number, &failed);
  if (!opened && config::IsKernelRefused(number)) {
    with_kernel = false;
    opened = Open(0, descriptors, &number, &failed);
  }
  if (!opened) {
    config::RefusalText(events.events[failed]->name, number, error, size);
    return false;
  }
  for (uint32_t i = 0; i < events.size; ++i) Close(descriptors[i]);
  session.counted_events = events.size;
  return true;
}

void BeginCounts(ThreadState* thread) {
  if (session.counted_events == 0) return;
  ThreadCounts& counts = thread->sampler.counts;
  int descriptors[kMostCountedEvents];
  int error = 0;
  uint32_t failed = 0;
  if (FewDescriptors(0)) return NoteUncounted("the limit on open files (ulimit -n) is low");
  if (!Open(thread->identity.tid, descriptors, &error, &failed))
    return NoteUncounted(error == EMFILE || error == ENFILE ? "the limit on open files (ulimit -n) is reached"
                                                            : "perf_event_open failed");
  const bool few = FewDescriptors(descriptors[events.size - 1]);
  const bool kept = KeepByMapping(&counts, descriptors);
  const long fd = MoveUp(descriptors[0]);
  counts.leader = fd >= 0 ? EventBehind(fd) : 0;
  if (fd >= 0 && counts.leader == 0) Close(fd);
  GroupRead group{};
  if (counts.leader != 0) counts.fd.store(static_cast<int>(fd), std::memory_order_seq_cst);
  if (few || !kept || counts.leader == 0 || !Read(&counts, &group)) {
    EndCounts(thread);
    return NoteUncounted(few || fd < 0 ? "the limit on open files (ulimit -n) is reached"
                         : !kept       ? "the limit on locked memory (ulimit -l) is reached"
                                       : "an event cannot be read");
  }
  counts.enabled_ns = group.enabled_ns;
  counts.running_ns = group.running_ns;
  memcpy(counts.totals.of, group.values, sizeof(group.values));
}

void EndCounts(ThreadState* thread) {
  CloseLeader(&thread->sampler.counts);
  EndPages(&thread->sampler.counts);
}

bool ReadCounts(ThreadState* thread, SampleCounts* counts) {
  ThreadCounts& before = thread->sampler.counts;
  GroupRead now{};
  if (!Read(&before, &now)) return false;
  const uint64_t enabled_ns = now.enabled_ns - before.enabled_ns;
  const uint64_t running_ns = now.running_ns - before.running_ns;
  if (running_ns == 0) return false;  // the next read has the counts of this time too
  for (uint32_t i = 0; i < kMostCountedEvents; ++i) {
    counts->of[i] = Scaled(now.values[i] - before.totals.of[i], enabled_ns, running_ns);
    before.totals.of[i] = now.values[i];
  }
  before.enabled_ns = now.enabled_ns;
  before.running_ns = now.running_ns;
  return true;
}

void KeepCountsOfTail(ThreadState* thread) {
  SampleCounts counts;
  if (session.counted_events == 0 || thread->sampler.counts.fd.load(std::memory_order_relaxed) < 0) return;
  if (ReadCounts(thread, &counts))
    thread->sampler.counts.tail.Add(counts);
  else if (EventBehind(thread->sampler.counts.fd.load(std::memory_order_relaxed)) != thread->sampler.counts.leader)
    NoteUncounted("the program has closed descriptors that are not its own");
}

void SetCounting(ThreadState* thread, bool on) {
  ThreadCounts& counts = thread->sampler.counts;
  const int fd = counts.fd.load(std::memory_order_seq_cst);
  if (fd < 0 || EventBehind(fd) != counts.leader) return;
  RawSyscall(SYS_ioctl, fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

// The kernel does not copy mappings of events into the child: the addresses may be another mapping's by now.
void ForgetCounts() {
  noted.store(false, std::memory_order_relaxed);
  if (session.counted_events == 0) return;
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next)
    CloseLeader(&thread->sampler.counts);
}

void NoteUncounted(const char* why) {
  if (!noted.exchange(true)) AddNote("events are not counted in every thread: %s", why);
}

}  // namespace ompprof::collect
