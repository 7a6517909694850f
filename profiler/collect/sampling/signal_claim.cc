#include "profiler/collect/sampling/signal_claim.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/sampling/signal_handler.h"
#include "profiler/collect/sampling/signal_mask.h"
#include "profiler/collect/sampling/signal_stack.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/config/launchers.h"

namespace ompprof::collect {
namespace {

// A value of --signal that was not tried.
const char* UntriedSignal() { return session.config.signal == SIGRTMIN + 8 ? "RTMIN+3" : "RTMIN+8"; }

// As --signal takes it: "PROF", "RTMIN+3", or a number.
struct SignalName {
  explicit SignalName(int signal) {
    if (signal == SIGPROF)
      strcpy(text, "PROF");
    else
      snprintf(text, sizeof(text), signal > SIGRTMIN ? "RTMIN+%d" : "%d",
               signal > SIGRTMIN ? signal - SIGRTMIN : signal);
  }
  char text[24];
};

// Warns that sampling has stopped, but not in a launcher, whose own time matters to nobody. Open MPI's orted handles
// every signal, and each program that is run without mpirun starts it.
void WarnOfYield() {
  if (config::IsLauncher(program_invocation_short_name)) return;
  Warn("the program uses signal %s itself: sampling stopped. Record it with --signal=%s (OMPPROF_SIGNAL) instead",
       SignalName(session.config.signal).text, UntriedSignal());
}

// More moves would be a program that takes every signal, one after the other.
constexpr uint32_t kMostMoves = 3;
std::atomic<uint32_t> moves{0};
std::atomic<bool> moving{false};

// Samples by another signal from now on. False: there is none, or the source cannot change it, or the program is a
// launcher: the time of what it forks would be in files of their own.
bool MoveToAnotherSignal() {
  if (config::IsLauncher(program_invocation_short_name)) return false;
  if (!session.active.load(std::memory_order_acquire) || session.ended.load(std::memory_order_acquire) ||
      !session.source->any_thread || moves.fetch_add(1, std::memory_order_relaxed) >= kMostMoves)
    return false;
  const int taken = session.config.signal;
  const bool collecting = session.collecting.exchange(false, std::memory_order_seq_cst);
  ForEachSampledThread([](ThreadState* thread) {
    thread->sampler.source->disarm(thread);
    thread->sampler.source->destroy(thread);
  });
  RestoreMasks();
  DropPendingSignals();
  const bool found = InstallHandlerOfAnotherSignal();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  ForEachSampledThread([found](ThreadState* thread) {
    thread->sampler.armed = false;
    if (found) CreateSource(thread);
  });
  if (!found) return false;
  AddNote("samples use signal %d since the program took signal %s for itself", session.config.signal,
          SignalName(taken).text);
  session.collecting.store(collecting, std::memory_order_seq_cst);
  if (!collecting) return true;
  ForEachSampledThread([](ThreadState* thread) {
    // FindUnmaskedThreads finds those that block the old signal and not the new.
    if (!thread->sampler.mask.blocks() && BlocksSamplingSignal(thread->identity.tid))
      thread->sampler.mask.state.fetch_or(1, std::memory_order_relaxed);
    ArmUnlessMasked(thread);
  });
  return true;
}

// Several threads may take the signal at a time.
bool MoveOnce() {
  if (moving.exchange(true, std::memory_order_acquire)) return true;
  const bool moved = MoveToAnotherSignal();
  moving.store(false, std::memory_order_release);
  return moved;
}

// False: sampling has stopped already.
bool StopForProgramsSignal() {
  if (!session.active.load(std::memory_order_acquire) || session.ended.exchange(true)) return false;
  session.delayed.store(false, std::memory_order_relaxed);
  session.collecting.store(false, std::memory_order_seq_cst);
  ForEachSampledThread([](ThreadState* thread) { thread->sampler.source->disarm(thread); });
  AddNote("sampling stopped when the program took signal %s for itself. Record it with --signal=%s",
          SignalName(session.config.signal).text, UntriedSignal());
  return true;
}

}  // namespace

bool TakeStraySample(const siginfo_t& info, bool* disarmed) {
  ThreadState* thread = this_thread;
  if (thread == nullptr || !thread->sampler.armed) return false;
  const bool timers = info.si_code == SI_TIMER && info.si_value.sival_ptr == thread;
  const bool events = (info.si_code == POLL_IN || info.si_code == POLL_HUP) && info.si_fd == thread->sampler.event.fd;
  if (!timers && !events && !IsTick(info)) return false;
  uint32_t count = 0;
  const uint64_t weight = thread->sampler.source->weigh(thread, &info, /*context=*/nullptr, &count);
  if (session.collecting.load(std::memory_order_relaxed)) {
    thread->sampler.carried_weight += weight;
    thread->sampler.carried_count += count;
  }
  // A timer that continues while the thread sleeps would wake the thread again and again.
  if (session.source->fires_asleep) {
    thread->sampler.source->disarm(thread);
    *disarmed = true;
  }
  return true;
}

void YieldSignal() {
  if (MoveOnce() || !StopForProgramsSignal()) return;
  RestoreMasks();
  DropPendingSignals();
  WarnOfYield();
}

void YieldSignalIfTaken() {
  if (!session.active.load(std::memory_order_acquire) || session.ended.load(std::memory_order_acquire) ||
      HandlerIsOurs())
    return;
  if (!MoveOnce() && StopForProgramsSignal()) session.signal_taken.store(true, std::memory_order_relaxed);
}

void WarnIfSignalWasTaken() {
  if (session.signal_taken.exchange(false)) WarnOfYield();
}

}  // namespace ompprof::collect
