// The source that is a perf event: one event for each thread, which signals the thread at each overflow (--event).
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/sampling/few_descriptors.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/config/perf_events.h"

namespace ompprof::collect {
namespace {

const config::PerfEvent* selected = nullptr;

long Open(const config::PerfEvent& event, pid_t tid, uint64_t period) {
  perf_event_attr attr = config::AttributesOf(event, period);
  return RawSyscall(SYS_perf_event_open, reinterpret_cast<long>(&attr), tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

// Descriptors belong to the program: the program may list them, close them, or have no more than four. So this source
// keeps no descriptor. A mapping of the event's first page, which nobody reads, keeps the event. The end of the mapping
// ends the event. A descriptor exists only for some microseconds, while the event is made. If the limit leaves little
// room for a descriptor, no event is made.
constexpr long kPage = 4096;

// Any thread, also in the handler. Only the caller that takes the mapping ends the event.
void EndEvent(ThreadState* thread) {
  const long page = thread->sampler.event.page.exchange(0, std::memory_order_seq_cst);
  if (page != 0) RawSyscall(SYS_munmap, page, kPage);
}

// Called by the thread itself, where no signal comes, or by its handler. `once`: for one overflow only. False: the
// thread has no event.
bool BeginEvent(ThreadState* thread, uint64_t period, bool once) {
  EndEvent(thread);
  thread->sampler.event.on = false;
  if (FewDescriptors(0)) return false;
  const long fd = Open(*selected, thread->identity.tid, period);
  if (fd < 0) return false;
  const f_owner_ex owner{F_OWNER_TID, thread->identity.tid};
  thread->sampler.event.fd = static_cast<int>(fd);  // the event's signals keep this number for good
  const bool set_up = !FewDescriptors(fd) && RawSyscall(SYS_fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 &&
                      RawSyscall(SYS_fcntl, fd, F_SETSIG, session.config.signal) == 0 &&
                      RawSyscall(SYS_fcntl, fd, F_SETOWN_EX, reinterpret_cast<long>(&owner)) == 0;
  const long page = set_up ? RawSyscall(SYS_mmap, 0, kPage, PROT_READ, MAP_SHARED, fd, 0) : -1;
  const bool on = page > 0 && (once ? RawSyscall(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, 1)
                                    : RawSyscall(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0)) == 0;
  RawSyscall(SYS_close, fd);
  if (page > 0) thread->sampler.event.page.store(page, std::memory_order_seq_cst);
  // A thread that disarms this thread meanwhile has found no mapping.
  if (!on || !thread->sampler.event.wanted.load(std::memory_order_seq_cst)) EndEvent(thread);
  thread->sampler.event.on = on;
  return on;
}

// Each event has a CPU timer beside it, because a thread makes its own event. Another thread that arms it leaves this
// to the timer's first signal. That signal has no weight.
const char* CreateSelected(ThreadState* thread) {
  const long fd = Open(*selected, thread->identity.tid, PeriodOf(*thread));
  if (fd == -EMFILE || fd == -ENFILE) return "perf_event_open: the limit on open files (ulimit -n) is reached";
  if (fd < 0) return "perf_event_open failed";
  RawSyscall(SYS_close, fd);
  return CreateTickTimer(thread);
}

void Destroy(ThreadState* thread) {
  thread->sampler.event.wanted.store(false, std::memory_order_seq_cst);
  DestroyTimer(thread);
  EndEvent(thread);
  thread->sampler.event.fd = -1;
}

// The first period is a random part of a period, so that threads do not sample in step. The first signal makes the
// event again with whole periods. Before that signal, the event is on for one overflow only. Otherwise, a thread that
// blocks the signal would be interrupted at the end of each such part, and the part may be as short as the kernel
// allows. The thread would get nothing done (seen: xz's compressing threads, some hundred times slower).
void FirstEvent(ThreadState* thread) {
  thread->sampler.event.first_period = true;
  BeginEvent(thread, RandomPhase(PeriodOf(*thread)), /*once=*/true);
}

void WholePeriods(ThreadState* thread) {
  thread->sampler.event.first_period = false;
  BeginEvent(thread, PeriodOf(*thread), /*once=*/false);
}

// The next two functions arm nothing in a thread that is about to block the signal: this may be its last signal before
// that.
void AfterOverflow(ThreadState* thread, const siginfo_t* info) {
  if (thread->sampler.mask.blocks()) return;
  if (thread->sampler.event.first_period || info->si_code == POLL_HUP)
    WholePeriods(thread);  // POLL_HUP: the event is used up
}

void AfterTick(ThreadState* thread) {
  if (thread->sampler.mask.blocks() || !thread->sampler.event.wanted.load(std::memory_order_relaxed)) return;
  if (!thread->sampler.event.on) {
    FirstEvent(thread);
  } else if (thread->sampler.event.first_period) {
    FirstEvent(thread);  // the blocked signal was pending once, for the timer; the event's signal was lost
  }
}

// Outside the handler, events are begun with all signals blocked. Otherwise the tick timer's signal, or the event's own
// first signal, would begin a second event within BeginEvent. Then nobody would know one of the two events, which would
// continue where the program blocks the signal (seen in one start of thirty at 10 kHz). Also, a handler of the program
// could leave BeginEvent by longjmp.
class NoSignals {
 public:
  NoSignals() : before_(SetSignalMask(kAllSignals)) {}
  ~NoSignals() { SetSignalMask(before_); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  const uint64_t before_;
};

void Arm(ThreadState* thread) {
  const NoSignals none;
  thread->sampler.event.on = false;
  thread->sampler.event.wanted.store(true, std::memory_order_seq_cst);
  SetTickTimer(thread, true);
  if (thread->identity.tid == Tid()) FirstEvent(thread);
}

void Disarm(ThreadState* thread) {
  thread->sampler.event.wanted.store(false, std::memory_order_seq_cst);
  SetTickTimer(thread, false);
  EndEvent(thread);
  thread->sampler.event.on = false;
}

bool Suspend(ThreadState* thread) {
  // The timer comes first: another process in this memory does not have the timer.
  if (!SuspendTickTimer(thread)) return false;
  thread->sampler.event.wanted.store(false, std::memory_order_seq_cst);
  EndEvent(thread);
  thread->sampler.event.on = false;
  return true;
}

bool Resume(ThreadState* thread) {
  const NoSignals none;
  if (!ResumeTickTimer(thread)) return false;
  thread->sampler.event.wanted.store(true, std::memory_order_seq_cst);
  FirstEvent(thread);
  return true;
}

void Repace(ThreadState* thread) {
  if (!thread->sampler.event.wanted.load(std::memory_order_relaxed)) return;
  if (thread->sampler.event.on && !thread->sampler.event.first_period) WholePeriods(thread);
}

bool FromEvent(const ThreadState* thread, const siginfo_t* info) {
  return (info->si_code == POLL_IN || info->si_code == POLL_HUP) && info->si_fd == thread->sampler.event.fd;
}

uint64_t WeighSelected(ThreadState* thread, const siginfo_t* info, const ucontext_t*, uint32_t* count) {
  if (FromTimer(thread, info)) {
    AfterTick(thread);
    SetTickTimer(thread, false);
    return 0;
  }
  if (!FromEvent(thread, info)) return 0;
  AfterOverflow(thread, info);
  *count = 1;
  return PeriodOf(*thread);
}

}  // namespace

constexpr Source kPerfEvent = [] {
  Source source{};
  source.name = "perf";
  source.weight_unit = "events";
  source.weight = WeightKind::kEvents;
  source.create = CreateSelected;
  source.destroy = Destroy;
  source.arm = Arm;
  source.disarm = Disarm;
  source.weigh = WeighSelected;
  source.suspend = Suspend;
  source.resume = Resume;
  source.repace = Repace;
  return source;
}();

bool SelectPerfEvent(const char* name, char* error, size_t size) {
  selected = config::FindPerfEvent(name);  // ReadConfig has refused all other names
  session.period = config::PeriodOf(*selected, session.config.frequency);
  const long fd = Open(*selected, 0, session.period);
  if (fd >= 0) {
    RawSyscall(SYS_close, fd);
    return true;
  }
  config::RefusalText(name, static_cast<int>(-fd), error, size);
  return false;
}

}  // namespace ompprof::collect
