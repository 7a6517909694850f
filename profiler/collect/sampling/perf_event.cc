// The sources that are perf events: one descriptor per thread that signals the thread at each overflow. Software
// task-clock delivers above the kernel's tick, where CPU timers do not (10 kHz asked, about 9.2 kHz delivered).
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/os.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/session.h"

namespace ompprof::collect {
namespace {

constexpr char kTaskClockName[] = "task-clock";
const config::PerfEvent* selected = nullptr;

// The kernel is left out even where it is permitted: an overflow inside a system call that then sleeps would interrupt
// it (seen: 62 of a program's sleeps). The kernel's time is in the weight of the thread's next sample; for task-clock a
// CPU timer at the kernel's tick, whose signals come at the return to user code, keeps that sample near (a thread that
// spins in sched_yield for 20 ms would else hand them to whatever it does next).
long Open(const config::PerfEvent& event, pid_t tid, uint64_t period) {
  perf_event_attr attr;
  memset(&attr, 0, sizeof(attr));
  attr.size = sizeof(attr);
  attr.type = event.type;
  attr.config = event.config;
  attr.sample_period = period;
  attr.disabled = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.wakeup_events = 1;
  return RawSyscall(SYS_perf_event_open, reinterpret_cast<long>(&attr), tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

const char* CreateEvent(ThreadState* thread, const config::PerfEvent& event) {
  const long opened = Open(event, thread->tid, session.period);
  if (opened == -EMFILE || opened == -ENFILE) return "perf_event_open: the limit on open files (ulimit -n) is reached";
  if (opened < 0) return "perf_event_open failed";
  int fd = static_cast<int>(opened);
  // Out of the way of the program, which may count on the lowest free descriptors.
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, 512);
  if (high >= 0) {
    close(fd);
    fd = high;
  }
  f_owner_ex owner{F_OWNER_TID, thread->tid};
  if (fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) != 0 || fcntl(fd, F_SETSIG, session.config.signal) != 0 ||
      fcntl(fd, F_SETOWN_EX, &owner) != 0) {
    close(fd);
    return "perf event: the signal could not be set up";
  }
  thread->event_fd = fd;
  return nullptr;
}

// Each event has a CPU timer beside it: task-clock for the reason above, all of them to be enabled in their own thread,
// since the writer, which ends --delay, has no part in the program's descriptors.
const char* CreateWithTimer(ThreadState* thread, const config::PerfEvent& event) {
  const char* failure = CreateTickTimer(thread);
  if (failure != nullptr) return failure;
  failure = CreateEvent(thread, event);
  if (failure != nullptr) DestroyTickTimer(thread);
  return failure;
}
const char* CreateTaskClock(ThreadState* thread) {
  return CreateWithTimer(thread, *config::FindPerfEvent(kTaskClockName));
}
const char* CreateSelected(ThreadState* thread) { return CreateWithTimer(thread, *selected); }

void Destroy(ThreadState* thread) {
  DestroyTickTimer(thread);
  RawSyscall(SYS_ioctl, thread->event_fd, PERF_EVENT_IOC_DISABLE, 0);
  RawSyscall(SYS_close, thread->event_fd);
  thread->event_fd = -1;
}

long SetPeriod(ThreadState* thread, uint64_t period) {
  return RawSyscall(SYS_ioctl, thread->event_fd, PERF_EVENT_IOC_PERIOD, reinterpret_cast<long>(&period));
}

// On for one overflow more.
bool EnableOnce(ThreadState* thread) { return RawSyscall(SYS_ioctl, thread->event_fd, PERF_EVENT_IOC_REFRESH, 1) == 0; }

// The first period is a random part of one, so that threads do not sample in step; the first signal sets the whole.
// Until that comes the event is on for one overflow only: a thread that blocks the signal would be interrupted at the
// end of each such part, which may be as short as the kernel can, and get nothing done (seen: xz's compressing threads,
// some hundred times slower).
void Enable(ThreadState* thread) {
  thread->first_period = true;
  thread->event_on = SetPeriod(thread, RandomPhase(session.period)) == 0 && EnableOnce(thread);
}

// On for any number of overflows.
void GoOn(ThreadState* thread) {
  if (thread->first_period) SetPeriod(thread, session.period);
  thread->first_period = false;
  RawSyscall(SYS_ioctl, thread->event_fd, PERF_EVENT_IOC_ENABLE, 0);
}

void AfterOverflow(ThreadState* thread, const siginfo_t* info) {
  if (thread->first_period || info->si_code == POLL_HUP) GoOn(thread);  // POLL_HUP: it has gone off
}

void AfterTick(ThreadState* thread) {
  if (!thread->event_on)
    Enable(thread);
  else if (thread->first_period)
    EnableOnce(thread);  // while the signal was blocked it was pending once, for the timer, and the event's was lost
}

void Arm(ThreadState* thread) {
  thread->last_clock = ClockNs(ThreadCpuClock(thread->tid));
  thread->credited = 0;
  thread->after_event = false;
  Enable(thread);
  SetTickTimer(thread, true);
}

// By the writer, which has no part in the program's descriptors. (Linux 5.6; before, the event goes on.)
void DisableFromOutside(int event_fd) {
  const long process = RawSyscall(SYS_pidfd_open, session.pid, 0);
  if (process < 0) return;
  const long fd = RawSyscall(SYS_pidfd_getfd, process, event_fd, 0);
  RawSyscall(SYS_close, process);
  if (fd < 0) return;
  RawSyscall(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
  RawSyscall(SYS_close, fd);
}

void Disarm(ThreadState* thread) {
  SetTickTimer(thread, false);
  if (RawSyscall(SYS_ioctl, thread->event_fd, PERF_EVENT_IOC_DISABLE, 0) != 0) DisableFromOutside(thread->event_fd);
  thread->event_on = false;
}

bool FromEvent(const ThreadState* thread, const siginfo_t* info) {
  return (info->si_code == POLL_IN || info->si_code == POLL_HUP) && info->si_fd == thread->event_fd;
}

// Reading the CPU clock is a system call, the dearest part of a sample. An event that follows an event stands for one
// period at least, since task-clock is that clock, so such a sample is given the period; every 16th reads the clock and
// makes up the difference (events that came in the kernel, signals that merged), as do the tick timer's signals, the
// event after one of them, and the thread's end.
constexpr uint32_t kReadEvery = 16;

uint64_t WeighTaskClock(ThreadState* thread, const siginfo_t* info, uint32_t* count) {
  const bool event = FromEvent(thread, info);
  const bool whole_period = event && thread->after_event;
  if (event) {
    AfterOverflow(thread, info);
  } else if (FromTickTimer(thread, info)) {
    AfterTick(thread);
  } else {
    return 0;
  }
  *count = 1;
  thread->after_event = event;
  if (whole_period && ++thread->unread < kReadEvery) {
    thread->credited += session.period;
    return session.period;
  }
  const uint64_t now = ThreadCpuNs();
  const uint64_t passed = now - thread->last_clock;
  // A late event and a punctual one are less than a period apart, so a little too much may have been given.
  const uint64_t owed = passed > thread->credited ? passed - thread->credited : 1;
  thread->credited = thread->credited + owed - passed;
  thread->last_clock = now;
  thread->unread = 0;
  return owed;
}

uint64_t WeighSelected(ThreadState* thread, const siginfo_t* info, uint32_t* count) {
  if (FromTickTimer(thread, info)) {
    AfterTick(thread);
    SetTickTimer(thread, false);
    return 0;
  }
  if (!FromEvent(thread, info)) return 0;
  AfterOverflow(thread, info);
  *count = 1;
  return session.period;
}

}  // namespace

const Source kPerfTaskClock = {"perf:task-clock", "nanoseconds", CreateTaskClock, Destroy, Arm, Disarm,
                               WeighTaskClock,    true};
const Source kPerfEvent = {"perf", "events", CreateSelected, Destroy, Arm, Disarm, WeighSelected, false};

bool PerfTaskClockWorks() {
  const long fd = Open(*config::FindPerfEvent(kTaskClockName), 0, 1000000);
  if (fd < 0) return false;
  RawSyscall(SYS_close, fd);
  return true;
}

bool SelectPerfEvent(const char* name, char* error, size_t size) {
  selected = config::FindPerfEvent(name);  // ReadConfig has let no other name through
  session.period = selected->default_period != 0 ? selected->default_period : 1000000000ull / session.config.frequency;
  const long fd = Open(*selected, 0, session.period);
  if (fd >= 0) {
    RawSyscall(SYS_close, fd);
    return true;
  }
  if (fd == -ENOENT || fd == -ENODEV || fd == -EOPNOTSUPP || fd == -EINVAL) {
    snprintf(error, size,
             "event %s: this machine does not count it (perf_event_open: %s); task-clock works everywhere perf does",
             name, strerror(static_cast<int>(-fd)));
  } else if (fd == -EACCES || fd == -EPERM) {
    snprintf(error, size, "event %s: not permitted (perf_event_open: %s); see /proc/sys/kernel/perf_event_paranoid",
             name, strerror(static_cast<int>(-fd)));
  } else {
    snprintf(error, size, "event %s: perf_event_open: %s", name, strerror(static_cast<int>(-fd)));
  }
  return false;
}

}  // namespace ompprof::collect
