#include "profiler/collect/process/thread_attach.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/base/thread_end.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/paths/walk_guard.h"
#include "profiler/collect/process/process_facts.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/sampling/event_counts.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {
namespace {

// The assumed size of the main thread's stack under "ulimit -s unlimited".
constexpr uintptr_t kUnlimitedStack = 64ull << 30;

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

// A program may make its threads so that they take no signals. A note tells this once. True: the calling thread is such
// a thread.
bool NoteBlockedSignal(const ThreadState& state) {
  uint64_t blocked = 0;
  RawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&blocked), sizeof(blocked));
  if ((blocked >> (session.config.signal - 1) & 1) == 0) return false;
  if (session.blocked_noted.exchange(true)) return true;
  AddNote(
      "threads that begin with the sampling signal (%d) blocked have no samples until they unblock it. The first "
      "such thread is thread %u, %s",
      session.config.signal, state.identity.id, state.identity.name);
  return true;
}

// The bounds of the thread's own stack. A walk that starts inside it loads plainly from its stack pointer up. A walk
// that starts elsewhere reads with system calls, so the bounds should be true. `stack_bytes`: size without the guard; 0
// if not known.
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

// For a new thread. While sampling is paused, nothing is counted. Sampling may begin meanwhile.
void StopCountsIfPaused(ThreadState* state) {
  if (session.counted_events == 0 || session.collecting.load(std::memory_order_seq_cst)) return;
  SetCounting(state, false);
  if (session.collecting.load(std::memory_order_seq_cst)) SetCounting(state, true);
}

}  // namespace

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
  const KernelWork work = KernelWorkOfThread();
  state->identity.kernel_work.Begin(work.minor_faults, work.major_faults, work.cpu_us);
  prctl(PR_GET_NAME, state->identity.name);
  state->identity.stack = BoundsOfThisThread(is_main, state->identity.stack_bytes);
  session.unwinder->init_thread(state->paths.unwind_state, state->identity.stack);
  state->sampler.mask.state.store(NoteBlockedSignal(*state) ? 1 : 0, std::memory_order_relaxed);
  const int signal = SamplingSignal();
  BeginCounts(state);
  CreateSource(state);
  this_thread = state;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  AwaitEndOfThisThread();
  PublishSampledThread(state, signal);
  StopCountsIfPaused(state);
  if (state->sampler.armed && session.collecting.load(std::memory_order_seq_cst)) ArmUnlessMasked(state);
  return state;
}

namespace {

// `counts`: the thread has its events, and their descriptor, from the calling thread's table.
ThreadState* AttachFromOutside(pid_t tid, const Source* source, bool counts) {
  ThreadState* state = AllocateThread();
  if (state == nullptr) return nullptr;
  state->sampler.source = source;
  state->identity.id = session.threads.fetch_add(1, std::memory_order_relaxed) + 1;
  state->identity.tid = tid;
  state->identity.start_ns = MonotonicNs();
  state->identity.start_cpu_ns = ClockNs(ThreadCpuClock(tid));
  if (tid == session.pid) state->identity.kind.store(fields::thread::kKindMain, std::memory_order_relaxed);
  session.unwinder->init_thread(state->paths.unwind_state, {0, 0});
  if (counts)
    BeginCounts(state);
  else if (session.counted_events != 0)
    NoteUncounted("libc has not made all threads");
  const int signal = SamplingSignal();
  CreateSource(state);
  state->sampler.mask.state.store(BlocksSamplingSignal(tid) ? 1 : 0, std::memory_order_relaxed);
  PublishSampledThread(state, signal);
  StopCountsIfPaused(state);
  if (state->sampler.armed && session.collecting.load(std::memory_order_relaxed)) ArmUnlessMasked(state);
  return state;
}

// What the thread used since its last sample, until its CPU clock showed `cpu_ns`.
void KeepRest(ThreadState* state, uint64_t cpu_ns) {
  if (session.collecting.load(std::memory_order_relaxed)) KeepTail(state, cpu_ns);
  if (state->HasCarriedNowhere()) {
    state->paths.lost[fields::kLostBusy].Add(state->sampler.carried_count, state->sampler.carried_weight);
  } else {
    state->sampler.tail_weight += state->sampler.carried_weight;
  }
}

}  // namespace

bool AttachOtherThread(pid_t tid) { return AttachFromOutside(tid, session.source, true) != nullptr; }

ThreadState* AttachUnseenThread(pid_t tid) {
  // The helper, which calls this, has a table of descriptors of its own.
  ThreadState* state = AttachFromOutside(tid, &kClockedCpuTimer, false);
  if (state == nullptr) return nullptr;
  session.unseen_threads.store(true, std::memory_order_relaxed);
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
  char* name = state->identity.name;
  const size_t size = ReadWholeFile(path, name, sizeof(state->identity.name) - 1);
  name[size] = '\0';
  if (size != 0 && name[size - 1] == '\n') name[size - 1] = '\0';
  return state;
}

void DetachUnseenThread(ThreadState* state) {
  const uint64_t cpu_ns = state->identity.end_cpu_ns.load(std::memory_order_relaxed);
  if (state->sampler.armed) state->sampler.source->destroy(state);
  state->identity.end_ns.store(MonotonicNs(), std::memory_order_relaxed);
  KeepRest(state, cpu_ns);
  EndThread(state);
}

void DetachThisThread() {
  ThreadState* state = this_thread;
  const OwnWork own_work;  // a cancellation may be pending, although the thread's routine has returned
  // A pending signal arrives before this returns, while the thread's state still exists.
  if (state->sampler.armed) state->sampler.source->disarm(state);
  AwaitTick(*state);
  // The runtime's thread_end, if there is such an event, may come later.
  RootEnds(state);
  EndWaits(state, MonotonicNs());
  {
    const SignalBlock block;
    if (state->sampler.armed) state->sampler.source->destroy(state);
    this_thread = nullptr;
    prctl(PR_GET_NAME, state->identity.name);
    state->identity.end_ns.store(MonotonicNs(), std::memory_order_relaxed);
    state->identity.end_cpu_ns.store(ThreadCpuNs(), std::memory_order_relaxed);
    state->placement.may_use_at_end = ProcessorsOf(0);
    const KernelWork work = KernelWorkOfThread();
    state->identity.kernel_work.Set(work.minor_faults, work.major_faults, work.cpu_us);
    if (session.collecting.load(std::memory_order_relaxed)) KeepCountsOfTail(state);
    EndCounts(state);
    KeepRest(state, ThreadCpuNs());
    if (EndThread(state)) writer_wake.Ask();
  }
  walk_guard.EndUnloadsOfThisThread();
}

void KeepTail(ThreadState* thread, uint64_t cpu_ns) {
  const Sampler& sampler = thread->sampler;
  if (sampler.mask.blocks()) cpu_ns = sampler.mask.begin_clock;
  if (sampler.source->weighs_by_cpu_clock && thread->paths.last_sample.count != 0 && cpu_ns > sampler.last_clock) {
    thread->sampler.tail_weight = cpu_ns - sampler.last_clock;
  }
}

}  // namespace ompprof::collect
