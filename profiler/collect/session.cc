#include "profiler/collect/session.h"

#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/ompt/lock_origins.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/ompt/waits.h"
#include "profiler/collect/os.h"
#include "profiler/collect/own_work.h"
#include "profiler/collect/process_facts.h"
#include "profiler/collect/real_functions.h"
#include "profiler/collect/sampling/mapping_changes.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/sampling/walk_guard.h"
#include "profiler/collect/seal.h"
#include "profiler/collect/startup_objects.h"
#include "profiler/collect/thread_end.h"
#include "profiler/collect/write/notes.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {

Session session;

namespace {

// The main thread's stack under "ulimit -s unlimited".
constexpr uintptr_t kUnlimitedStack = 64ull << 30;

std::atomic<bool> warned_about_timers{false};
std::atomic<bool> main_thread_ended{false};

// Keeps the sampling signal away from this thread for a while.
class SignalBlock {
 public:
  SignalBlock() {
    const uint64_t set = 1ull << (session.config.signal - 1);
    RawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&set), reinterpret_cast<long>(&before_),
               sizeof(set));
  }
  ~SignalBlock() { SetSignalMask(before_); }

 private:
  uint64_t before_ = 0;
};

template <typename Visit>
void ForEachLiveThread(Visit visit) {
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (thread->sampler.armed && thread->phase.load(std::memory_order_acquire) == ThreadState::kLive) visit(thread);
  }
}

void ArmThread(ThreadState* state) {
  const char* failure = state->sampler.source->create(state);
  if (failure == nullptr) {
    state->sampler.armed = true;
    return;
  }
  session.unarmed_threads.fetch_add(1, std::memory_order_relaxed);
  if (!warned_about_timers.exchange(true)) {
    Warn("not every thread is sampled: %s", failure);
    AddNote("not every thread is sampled: %s", failure);
  }
}

// A program may make its threads so that they take no signals. Told once. True: the calling thread is one of them.
bool NoteBlockedSignal(const ThreadState& state) {
  uint64_t blocked = 0;
  RawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&blocked), sizeof(blocked));
  if ((blocked >> (session.config.signal - 1) & 1) == 0) return false;
  if (session.blocked_noted.exchange(true)) return true;
  AddNote(
      "threads that begin with the sampling signal (%d) blocked have no samples until they unblock it: thread %u, "
      "%s, is the first",
      session.config.signal, state.identity.id, state.identity.name);
  return true;
}

// The thread's own stack. A walk that starts inside it loads plainly from its stack pointer up; one that starts
// elsewhere reads with system calls, so the bounds should be true. `stack_bytes`: without its guard, 0 if not known.
StackBounds BoundsOfThisThread(bool is_main, size_t stack_bytes) {
  if (is_main) {
    const uintptr_t end = MainStackEnd();
    rlimit limit;
    const bool known = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < end;
    return {end - (known ? limit.rlim_cur : kUnlimitedStack), end};
  }
  if (stack_bytes != 0) {
    // glibc puts the thread's descriptor at the high end of its stack.
    const auto descriptor = static_cast<uintptr_t>(pthread_self());
    return {descriptor - stack_bytes, descriptor};
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  void* low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return {reinterpret_cast<uintptr_t>(low), reinterpret_cast<uintptr_t>(low) + size};
}

// What the thread used since its last sample, at its end. `cpu_ns`: its CPU clock.
void KeepTail(ThreadState* thread, uint64_t cpu_ns) {
  const uint64_t given = thread->sampler.last_clock + thread->sampler.credited;
  if (thread->sampler.mask.blocks()) cpu_ns = thread->sampler.mask.begin_clock;
  if (thread->sampler.source->weighs_by_cpu_clock && thread->paths.last_sample.count != 0 && cpu_ns > given) {
    thread->sampler.tail_weight = cpu_ns - given;
  }
}

// Threads that were there before this library (it was loaded late, by the OpenMP runtime).
void AttachExistingThreads() {
  if (session.source != &kCpuTimer && session.source != &kWallTimer && session.source != &kMonotonicCpuTimer) return;
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  while (const dirent* entry = readdir(tasks)) {
    const int tid = atoi(entry->d_name);
    if (tid == 0 || tid == Tid() || tid == WriterTid()) continue;
    ThreadState* state = AllocateThread();
    if (state == nullptr) break;
    state->identity.id = session.threads.fetch_add(1, std::memory_order_relaxed) + 1;
    state->identity.tid = tid;
    state->identity.start_ns = MonotonicNs();
    state->identity.start_cpu_ns = ClockNs(ThreadCpuClock(tid));
    if (tid == session.pid) state->identity.kind.store(fields::thread::kKindMain, std::memory_order_relaxed);
    session.unwinder->init_thread(state->paths.unwind_state, {0, 0});
    ArmThread(state);
    state->sampler.mask.state.store(BlocksSamplingSignal(tid) ? 1 : 0, std::memory_order_relaxed);
    PublishThread(state);
    if (state->sampler.armed && session.collecting.load(std::memory_order_relaxed)) ArmUnlessMasked(state);
  }
  closedir(tasks);
}

void RecordStartTimes() {
  session.pid = getpid();
  session.start_mono_ns = MonotonicNs();
  session.start_unix_ns = static_cast<int64_t>(ClockNs(CLOCK_REALTIME));
  session.start_process_cpu_ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID);
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
  // Set by `ompprof record`, whose process becomes the program. Without it every process with this library speaks for
  // itself.
  const char* main_pid = getenv("OMPPROF_MAIN_PID");
  const bool is_main = main_pid != nullptr && atoi(main_pid) == session.pid;
  if (main_pid != nullptr && !is_main && !session.config.children) return false;
  SetMemoryBudget(session.config.max_memory);
  NotePermanentObjects();
  if (!CreateThreadEnd(DetachThisThread) || !InstallSignalHandler()) {
    Warn("the sampling signal cannot be set up; the program runs unprofiled");
    return false;
  }
  if (!StartWriter(/*open_now=*/is_main, error, sizeof(error))) {
    Warn("%s; the program runs unprofiled", error);
    return false;
  }
  const bool wait = session.config.paused || session.config.delay_ns != 0;
  session.delayed.store(!session.config.paused && session.config.delay_ns != 0, std::memory_order_relaxed);
  session.collecting.store(!wait, std::memory_order_relaxed);
  session.active.store(true, std::memory_order_release);
  if (AttachThisThread(nullptr) == nullptr) {
    session.active.store(false, std::memory_order_release);
    Warn("no memory for the profile; the program runs unprofiled");
    return false;
  }
  if (!session.preloaded) AttachExistingThreads();
  NoteRuntimeWithoutOmpt();
  if (session.source == &kMonotonicCpuTimer) {
    Warn(
        "perf_event is not permitted here, so %u samples per second come from a wall-clock timer, which also "
        "interrupts sleeping system calls",
        session.config.frequency);
  }
  return true;
}

ThreadState* AttachThisThread(ThreadState* state) {
  if (this_thread != nullptr) return this_thread;
  const InsideSeal inside;
  if (inside.sealed() || !session.active.load(std::memory_order_acquire)) return nullptr;
  const OwnWork own_work;
  if (state == nullptr) state = AllocateThread();
  if (state == nullptr) return nullptr;
  session.running.fetch_add(1, std::memory_order_seq_cst);
  state->sampler.counted = true;
  state->identity.tid = Tid();
  state->identity.id = session.threads.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool is_main = state->identity.tid == session.pid;
  if (is_main) state->identity.kind.store(fields::thread::kKindMain, std::memory_order_relaxed);
  state->identity.start_ns = MonotonicNs();
  state->identity.start_cpu_ns = ThreadCpuNs();
  prctl(PR_GET_NAME, state->identity.name);
  session.unwinder->init_thread(state->paths.unwind_state, BoundsOfThisThread(is_main, state->identity.stack_bytes));
  state->sampler.mask.state.store(NoteBlockedSignal(*state) ? 1 : 0, std::memory_order_relaxed);
  ArmThread(state);
  this_thread = state;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  AwaitEndOfThisThread();
  PublishThread(state);
  if (state->sampler.armed && session.collecting.load(std::memory_order_seq_cst)) ArmUnlessMasked(state);
  return state;
}

void DetachThisThread() {
  ThreadState* state = this_thread;
  const InsideSeal inside;
  if (state == nullptr || inside.sealed() || session.pid != getpid()) return;
  const OwnWork own_work;  // a request may be pending: the thread's routine has returned all the same
  // A signal that is on its way arrives before this returns, while there is somebody to receive it.
  if (state->sampler.armed) state->sampler.source->disarm(state);
  // thread_end, if there is one, may come after this.
  RootEnds(state);
  EndWaits(state, MonotonicNs());
  const bool counted = state->sampler.counted;
  {
    const SignalBlock block;
    if (state->sampler.armed) state->sampler.source->destroy(state);
    this_thread = nullptr;
    prctl(PR_GET_NAME, state->identity.name);
    state->identity.end_ns.store(MonotonicNs(), std::memory_order_relaxed);
    state->identity.end_cpu_ns.store(ThreadCpuNs(), std::memory_order_relaxed);
    if (session.collecting.load(std::memory_order_relaxed)) KeepTail(state, ThreadCpuNs());
    if (state->HasCarriedNowhere()) {
      state->paths.lost[fields::kLostBusy].Add(state->sampler.carried_count, state->sampler.carried_weight);
    } else {
      state->sampler.tail_weight += state->sampler.carried_weight;
    }
    state->phase.store(ThreadState::kEnded, std::memory_order_release);
  }
  walk_guard.EndUnloadsOfThisThread();
  if (Tid() == session.pid) main_thread_ended.store(true, std::memory_order_release);
  if (counted) OneThreadLess();
}

void OneThreadLess() {
  if (session.running.fetch_sub(1, std::memory_order_seq_cst) != 1) return;
  if (main_thread_ended.load(std::memory_order_acquire)) ShutDownSession("exit");
}

void SetCollecting(bool on) {
  session.delayed.store(false, std::memory_order_relaxed);
  if (on) CollectingBegins(MonotonicNs());
  if (session.collecting.exchange(on, std::memory_order_seq_cst) == on) return;
  ForEachLiveThread(
      [on](ThreadState* thread) { on ? ArmUnlessMasked(thread) : thread->sampler.source->disarm(thread); });
}

void EndSession() {
  session.ended.store(true, std::memory_order_release);
  ShutDownSession("control end");
}

void BeforeExec() {
  FlushNow("exec");
  ThreadState* thread = this_thread;
  if (thread == nullptr || !thread->sampler.armed) return;
  // A signal that is still on its way would find its default action in the new program, and end it.
  thread->sampler.source->disarm(thread);
  const uint64_t set = 1ull << (session.config.signal - 1);
  const timespec now{0, 0};
  // The kernel's call: libc's is a cancellation point, which exec is not.
  while (RawSyscall(SYS_rt_sigtimedwait, reinterpret_cast<long>(&set), 0, reinterpret_cast<long>(&now), sizeof(set)) >
         0) {
  }
}

void AfterFailedExec() { ArmThisThreadAgain(); }

bool TakeStraySample(const siginfo_t& info, bool* disarmed) {
  ThreadState* thread = this_thread;
  if (thread == nullptr || !thread->sampler.armed) return false;
  const bool timers = info.si_code == SI_TIMER && info.si_value.sival_ptr == thread;
  const bool events = (info.si_code == POLL_IN || info.si_code == POLL_HUP) && info.si_fd == thread->sampler.event.fd;
  if (!timers && !events) return false;
  uint32_t count = 0;
  const uint64_t weight = thread->sampler.source->weigh(thread, &info, &count);
  if (session.collecting.load(std::memory_order_relaxed)) {
    thread->sampler.carried_weight += weight;
    thread->sampler.carried_count += count;
  }
  // Timers that go on in sleep would wake it again and again.
  if (session.source == &kWallTimer || session.source == &kMonotonicCpuTimer) {
    thread->sampler.source->disarm(thread);
    *disarmed = true;
  }
  return true;
}

void ArmThisThreadAgain() {
  ThreadState* thread = this_thread;
  if (thread == nullptr || !thread->sampler.armed || thread->sampler.mask.blocks() ||
      !session.collecting.load(std::memory_order_relaxed))
    return;
  // What passed meanwhile is the next sample's.
  const uint64_t last_clock = thread->sampler.last_clock;
  const uint64_t credited = thread->sampler.credited;
  thread->sampler.source->arm(thread);
  thread->sampler.last_clock = last_clock;
  thread->sampler.credited = credited;
}

bool HelperHasOtherRights() {
  const int helper = WriterTid();
  if (helper == 0) return false;
  if (session.ids_apart.load(std::memory_order_relaxed)) return true;
  __user_cap_data_struct rights[2][_LINUX_CAPABILITY_U32S_3] = {};
  for (int thread = 0; thread < 2; ++thread) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, thread == 0 ? 0 : helper};
    if (RawSyscall(SYS_capget, reinterpret_cast<long>(&header), reinterpret_cast<long>(rights[thread])) != 0)
      return true;
  }
  return memcmp(rights[0], rights[1], sizeof(rights[0])) != 0;
}

bool BeforeAlone(const char* call) {
  const int helper = WriterTid();
  const Pause pause = PauseWriter();
  if (pause == Pause::kNothing) return false;
  if (pause == Pause::kImpossible) {
    session.helperless.store(true, std::memory_order_relaxed);
    ShutDownSession(call);
    AwaitThreadsEnd(session.pid, helper, 1000000000);
  }
  return true;
}

void AfterAlone(const char* call) {
  // After CLONE_NEWPID the kernel gives a process no more threads: what is left to see is in its children.
  if (session.helperless.load(std::memory_order_relaxed) || ResumeWriter()) return;
  session.helperless.store(true, std::memory_order_relaxed);
  ShutDownSession(call);
}

namespace {

void WarnOfYield() {
  const char* name = sigabbrev_np(session.config.signal);
  Warn("the program uses signal %s itself: sampling stopped; record it with --signal=RTMIN+8 (OMPPROF_SIGNAL) instead",
       name != nullptr ? name : "?");
}

// False: it is done already.
bool StopForProgramsSignal() {
  if (!session.active.load(std::memory_order_acquire) || session.ended.exchange(true)) return false;
  session.delayed.store(false, std::memory_order_relaxed);
  session.collecting.store(false, std::memory_order_seq_cst);
  ForEachLiveThread([](ThreadState* thread) { thread->sampler.source->disarm(thread); });
  const char* name = sigabbrev_np(session.config.signal);
  AddNote("sampling stopped when the program took signal %s for itself; record with --signal=RTMIN+8",
          name != nullptr ? name : "?");
  return true;
}

}  // namespace

void YieldSignal() {
  if (!StopForProgramsSignal()) return;
  RestoreMasks();
  DropPendingSignals();
  WarnOfYield();
}

void YieldSignalIfTaken() {
  if (!session.active.load(std::memory_order_acquire) || session.ended.load(std::memory_order_acquire) ||
      HandlerIsOurs())
    return;
  if (StopForProgramsSignal()) session.signal_taken.store(true, std::memory_order_relaxed);
}

void ShutDownSession(const char* reason, bool at_once) {
  // Who has ended asks for nothing, not even its number: the process may have given up system calls.
  if (!session.active.load(std::memory_order_acquire) || IsSealed()) return;
  if (session.pid != getpid() || !session.active.exchange(false, std::memory_order_acq_rel)) return;
  const OwnWork own_work;
  const bool collecting = session.collecting.load(std::memory_order_relaxed);
  session.closing.store(collecting, std::memory_order_relaxed);
  session.collecting.store(false, std::memory_order_seq_cst);
  session.delayed.store(false, std::memory_order_relaxed);
  ForEachLiveThread([collecting](ThreadState* thread) {
    thread->sampler.source->disarm(thread);
    if (collecting) {
      KeepTail(thread, ClockNs(ThreadCpuClock(thread->identity.tid)));
      CutWaits(thread, MonotonicNs());
    }
  });
  DeactivateTool();
  if (!at_once) NoteRuntimeWithoutOmpt();
  char error[1024];
  StopWriter(reason, error, sizeof(error));
  if (!at_once) JoinWriter();
  if (error[0] != '\0') Warn("%s", error);
  if (session.signal_taken.exchange(false)) WarnOfYield();
}

void RestartSessionInChild() {
  if (IsSealed()) return;
  ForgetOtherSealers();
  const bool helperless = session.helperless.exchange(false);
  if (!helperless && !session.active.load(std::memory_order_acquire)) return;
  if (helperless) session.collecting.store(session.closing.exchange(false), std::memory_order_relaxed);
  const ThreadState* before = this_thread;
  const uint32_t kind = before != nullptr ? before->identity.kind.load(std::memory_order_relaxed)
                                          : static_cast<uint32_t>(fields::thread::kKindMain);
  const uint8_t known_to = before != nullptr ? before->tasks.known_to : 0;
  const uint8_t worker_of = before != nullptr ? before->tasks.worker_of : 0;
  session.active.store(false, std::memory_order_release);
  this_thread = nullptr;
  ForgetAllThreads();
  ForgetWriter();
  ForgetNotes();
  session.blocked_noted.store(false, std::memory_order_relaxed);
  lock_origins.ForgetPaths();
  ForgetMappedMemory();
  ForgetWaits();
  walk_guard.ForgetOtherThreads();
  mapping_changes.ForgetOtherThreads();
  lock_table.Forget();
  region_session.fetch_add(1, std::memory_order_relaxed);
  session.threads.store(0, std::memory_order_relaxed);
  session.running.store(0, std::memory_order_relaxed);
  session.unattached_samples.store(0, std::memory_order_relaxed);
  session.unarmed_threads.store(0, std::memory_order_relaxed);
  main_thread_ended.store(false, std::memory_order_relaxed);
  if (!session.config.children || session.ended.load(std::memory_order_relaxed)) return;
  const OwnWork own_work;
  RecordStartTimes();
  char error[1024];
  if (!StartWriter(/*open_now=*/false, error, sizeof(error))) {
    Warn("%s; the forked child %d runs unprofiled", error, session.pid);
    return;
  }
  session.active.store(true, std::memory_order_release);
  ThreadState* state = AttachThisThread(nullptr);
  if (state == nullptr) return;
  state->identity.kind.store(kind, std::memory_order_relaxed);
  state->tasks.known_to = known_to;
  state->tasks.worker_of = worker_of;
  if (before != nullptr) {
    state->labels.innermost = before->labels.innermost;
    state->labels.depth = before->labels.depth;
    memcpy(state->labels.outer, before->labels.outer, sizeof(state->labels.outer));
  }
  if (kind == fields::thread::kKindInitial) RootBegins(state);
}

}  // namespace ompprof::collect
