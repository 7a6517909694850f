#include "profiler/collect/process/lifecycle.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "profiler/collect/base/loaded_objects.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/base/thread_end.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/devices/device_table.h"
#include "profiler/collect/devices/device_trace.h"
#include "profiler/collect/locks/lock_origins.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/paths/mapping_changes.h"
#include "profiler/collect/paths/walk_guard.h"
#include "profiler/collect/process/last_line.h"
#include "profiler/collect/process/process_facts.h"
#include "profiler/collect/process/startup_objects.h"
#include "profiler/collect/process/thread_attach.h"
#include "profiler/collect/process/unseen_threads.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/sampling/event_counts.h"
#include "profiler/collect/sampling/signal_claim.h"
#include "profiler/collect/sampling/signal_cost.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/writer.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/config/read_config.h"

namespace ompprof::collect {
namespace {

// Attaches the threads that were there before this library, which the OpenMP runtime loaded late.
void AttachExistingThreads() {
  if (!session.source->any_thread) return;
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  while (const dirent* entry = readdir(tasks)) {
    const int tid = atoi(entry->d_name);
    if (tid == 0 || tid == Tid() || tid == WriterTid()) continue;
    if (!AttachOtherThread(tid)) break;
  }
  closedir(tasks);
}

void RecordStartTimes() {
  session.pid = getpid();
  session.start_mono_ns = MonotonicNs();
  session.start_unix_ns = static_cast<int64_t>(ClockNs(CLOCK_REALTIME));
  session.start_process_cpu_ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID);
  session.start_children_cpu_ns = ChildrenCpuNs();
}

const Unwinder* ChooseUnwinder(char* error, size_t size) {
  switch (session.config.unwind) {
    case UnwindKind::kFramePointer:
      return FramePointerUnwinder();
    case UnwindKind::kLibunwind:
      return LibunwindUnwinder(error, size);
    case UnwindKind::kCfi:
      break;
  }
  return CfiUnwinder();
}

// Whether the main thread has ended. It stays in the kernel's list as a zombie.
bool MainIsGone() {
  char path[64];
  char stat[512];
  snprintf(path, sizeof(path), "/proc/self/task/%d/stat", session.pid);
  const size_t size = ReadWholeFile(path, stat, sizeof(stat) - 1);
  stat[size] = '\0';
  const char* const name_end = strrchr(stat, ')');  // proc(5): "PID (NAME) STATE ..."
  return name_end != nullptr && strncmp(name_end, ") Z", 3) == 0;
}

// Waits, for a moment, until no thread is left but this one and our helper. False: there is another one, which this
// library does not count.
bool AwaitOtherThreads() {
  constexpr uint64_t kPatienceNs = 1000000000;
  constexpr timespec kMoment{0, 100000};
  const bool is_main = Tid() == session.pid;
  const uint64_t left = 1 + (WriterTid() != 0 ? 1 : 0) + (is_main ? 0 : 1);
  const uint64_t deadline = MonotonicNs() + kPatienceNs;
  for (;;) {
    const uint64_t count = CountThreads();
    if (count < left) return false;
    if (count == left && (is_main || MainIsGone())) return true;
    if (MonotonicNs() > deadline) return false;
    RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&kMoment));
  }
}

// Whether the process ends with the calling thread, which was one of session.running.
bool WasLast() {
  return session.running.fetch_sub(1, std::memory_order_seq_cst) == 1 &&
         session.main_thread_ended.load(std::memory_order_acquire);
}

void ThisThreadEnds() {
  {
    const InsideSeal inside;  // a filter also waits for the end of the session
    if (this_thread == nullptr || inside.sealed() || session.pid != getpid()) return;
    if (Tid() == session.pid) session.main_thread_ended.store(true, std::memory_order_release);
    const bool last = this_thread->sampler.counted && WasLast();
    if (!last || !session.active.load(std::memory_order_acquire) || !AwaitOtherThreads()) {
      DetachThisThread();
      if (last) ShutDownSession("exit");
      return;
    }
  }
  // The C library does this next, in the last thread that it counts, and it counts our helper. Exit handlers and
  // destructors still run as a part of the session.
  exit(0);
}

}  // namespace

namespace {

uint64_t LookAtThreads() {
  const uint64_t look = LookForUnseenThreads();
  const uint64_t tick = TickThreads();
  return look == 0 || tick == 0 ? look + tick : std::min(look, tick);
}

}  // namespace

bool InSession() { return !IsSealed() && session.active.load(std::memory_order_acquire) && session.pid == getpid(); }

bool StartSession() {
  char error[1024];
  RecordStartTimes();
  session.preloaded = LoadedBeforeTheProgram();
  session.program_code = ProgramCode();
  if (!config::ReadConfig(&session.config, error, sizeof(error)) || !ChooseSource(error, sizeof(error)) ||
      (session.unwinder = ChooseUnwinder(error, sizeof(error))) == nullptr) {
    Warn("%s; the program runs unprofiled", error);
    return false;
  }
  if (!config::IsRankSelected(session.config.ranks, config::MpiRank())) return false;
  const bool counts = ChooseCounts(error, sizeof(error));
  // `ompprof record` sets this variable, and its process becomes the program. Without the variable, every process with
  // this library decides for itself.
  const char* main_pid = getenv("OMPPROF_MAIN_PID");
  const bool is_main = main_pid != nullptr && atoi(main_pid) == session.pid;
  if (main_pid != nullptr && !is_main) {
    if (!session.config.children) return false;
    NameProcessInWarnings();
  }
  if (!counts) {
    Warn("%s; the profile has no counts", error);
    AddNote("%s; the profile has no counts", error);
  }
  if (is_main) PrepareLastLine();
  SetMemoryBudget(session.config.max_memory);
  NotePermanentObjects();
  if (!CreateThreadEnd(ThisThreadEnds) || !InstallSignalHandler()) {
    Warn("the sampling signal cannot be set up; the program runs unprofiled");
    return false;
  }
  LookFromWriter(LookAtThreads);
  if (!StartWriter(/*open_now=*/is_main, error, sizeof(error))) {
    Warn("%s; the program runs unprofiled", error);
    return false;
  }
  const bool delayed = session.config.delay_ns != 0 && CanDelay();
  const bool wait = session.config.paused || delayed;
  session.delayed.store(!session.config.paused && delayed, std::memory_order_relaxed);
  session.collecting.store(!wait, std::memory_order_relaxed);
  session.active.store(true, std::memory_order_release);
  if (AttachThisThread(nullptr) == nullptr) {
    session.active.store(false, std::memory_order_release);
    Warn("no memory for the profile; the program runs unprofiled");
    return false;
  }
  if (!session.preloaded) AttachExistingThreads();
  NoteRuntimeWithoutOmpt(/*at_end=*/false);
  return true;
}

void OneThreadLess() {
  if (WasLast()) ShutDownSession("exit");
}

void EndSession() {
  session.ended.store(true, std::memory_order_release);
  ShutDownSession("control end");
}

void BeforeExec() {
  FlushNow("exec");
  ThreadState* thread = this_thread;
  if (thread == nullptr || !thread->sampler.armed) return;
  // A signal on its way would find its default action in the new program, and end the program.
  thread->sampler.source->disarm(thread);
  AwaitTick(*thread);
  const uint64_t set = 1ull << (session.config.signal - 1);
  const timespec now{0, 0};
  // The kernel's call is used: libc's function is a cancellation point, and exec is not.
  while (RawSyscall(SYS_rt_sigtimedwait, reinterpret_cast<long>(&set), 0, reinterpret_cast<long>(&now), sizeof(set)) >
         0) {
  }
}

void AfterFailedExec() { ArmThisThreadAgain(); }

void ShutDownSession(const char* reason, bool at_once) {
  // A session that has ended makes no system call, not even getpid: the process may have given up system calls.
  if (!session.active.load(std::memory_order_acquire) || IsSealed()) return;
  if (session.pid != getpid() || !session.active.exchange(false, std::memory_order_acq_rel)) return;
  const OwnWork own_work;
  const bool collecting = session.collecting.load(std::memory_order_relaxed);
  session.closing.store(collecting, std::memory_order_relaxed);
  session.collecting.store(false, std::memory_order_seq_cst);
  session.delayed.store(false, std::memory_order_relaxed);
  ForEachSampledThread([collecting](ThreadState* thread) {
    thread->sampler.source->disarm(thread);
    if (collecting) {
      KeepTail(thread, ClockNs(ThreadCpuClock(thread->identity.tid)));
      if (thread == this_thread) KeepCountsOfTail(thread);
      EndWaitsWithProfile(thread, MonotonicNs());
    }
  });
  if (!at_once) {
    FlushTraces();
    RefreshLoadedObjects();  // for a last round in this thread, which must not wait for the loader
  }
  DeactivateTool();
  if (!at_once) {
    NoteRuntimeWithoutOmpt(/*at_end=*/true);
    NoteOffloadWithoutOmpt();
  }
  char error[1024];
  StopWriter(reason, error, sizeof(error));
  if (!at_once) JoinWriter();
  if (error[0] != '\0') Warn("%s", error);
  WarnIfSignalWasTaken();
  PrintLastLine(reason);
}

namespace {

// What is known of the parent's threads, memory and costs is not the forked child's.
void ForgetParent() {
  session.active.store(false, std::memory_order_release);
  this_thread = nullptr;
  ForgetAllThreads();
  ForgetWriter();
  session.stopping_helper.store(0, std::memory_order_relaxed);
  ForgetUnseenThreads();
  ForgetNotes();
  ForgetLastLine();
  session.blocked_noted.store(false, std::memory_order_relaxed);
  lock_origins.ForgetPaths();
  ForgetMappedMemory();
  ForgetWaits();
  walk_guard.ForgetOtherThreads();
  mapping_changes.ForgetOtherThreads();
  lock_table.Forget();
  ForgetDevices();
  ForgetTraces();
  region_session.fetch_add(1, std::memory_order_relaxed);
  session.threads.store(0, std::memory_order_relaxed);
  session.running.store(0, std::memory_order_relaxed);
  session.unattached_samples.store(0, std::memory_order_relaxed);
  signal_cost.Reset();
  session.asleep_signals.Reset();
  session.unseen_threads.store(false, std::memory_order_relaxed);
  session.unsampled_handlers_ns.store(0, std::memory_order_relaxed);
  session.unarmed_threads.store(0, std::memory_order_relaxed);
  ForgetTicks();
  session.main_thread_ended.store(false, std::memory_order_relaxed);
}

}  // namespace

void RestartSessionInChild() {
  if (IsSealed()) return;
  ForgetOtherSealers();
  ForgetCounts();
  const bool helperless = session.helperless.exchange(false);
  if (!helperless && !session.active.load(std::memory_order_acquire)) return;
  if (helperless) session.collecting.store(session.closing.exchange(false), std::memory_order_relaxed);
  const ThreadState* before = this_thread;
  const uint32_t kind = before != nullptr ? before->identity.kind.load(std::memory_order_relaxed)
                                          : static_cast<uint32_t>(fields::thread::kKindMain);
  const uint8_t announced_by = before != nullptr ? before->tasks.announced_by : 0;
  const uint8_t worker_of = before != nullptr ? before->tasks.worker_of : 0;
  ForgetParent();
  if (!session.config.children || session.ended.load(std::memory_order_relaxed)) return;
  const OwnWork own_work;
  NameProcessInWarnings();
  RecordStartTimes();
  char error[1024];
  if (!StartWriter(/*open_now=*/false, error, sizeof(error))) {
    Warn("%s; this forked child runs unprofiled", error);
    return;
  }
  session.active.store(true, std::memory_order_release);
  ThreadState* state = AttachThisThread(nullptr);
  if (state == nullptr) return;
  state->identity.kind.store(kind, std::memory_order_relaxed);
  state->tasks.announced_by = announced_by;
  state->tasks.worker_of = worker_of;
  if (before != nullptr) {
    state->labels.innermost = before->labels.innermost;
    state->labels.depth = before->labels.depth;
    memcpy(state->labels.outer, before->labels.outer, sizeof(state->labels.outer));
  }
  if (kind == fields::thread::kKindInitial) RootBegins(state);
}

}  // namespace ompprof::collect
