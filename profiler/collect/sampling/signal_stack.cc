#include "profiler/collect/sampling/signal_stack.h"

#include <dlfcn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <atomic>

#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/thread/session.h"

namespace ompprof::collect {
namespace {

// A program that handles this many asynchronous signals with SA_ONSTACK does not use a coroutine's trick or a handler
// of stack overflows.
constexpr int kAsksForAll = 3;
// Signals are bits of a word: signal 1 is bit 0.
constexpr int kSignals = 64;

std::atomic<uint64_t> on_stack{0};      // the program handles these signals with SA_ONSTACK
std::atomic<uint64_t> masked{0};        // the signals of on_stack to whose masks we have added the sampling signal
std::atomic<bool> stack_set{false};     // the program has set an alternate stack by libc
std::atomic<bool> small_set{false};     // the program has set an alternate stack that is too small for two frames
std::atomic<bool> small_stacks{false};  // the program is known to run on small stacks
std::atomic<void (*)(int, siginfo_t*, void*)> our_handler{nullptr};
std::atomic<int> our_flag{0};  // SA_ONSTACK or 0: the flag that was last set

uint64_t Bit(int number) { return number >= 1 && number <= kSignals ? 1ull << (number - 1) : 0; }

// Signals of a fault in the thread itself. Programs that want to survive a stack overflow handle these with SA_ONSTACK.
constexpr uint64_t kFaults = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGILL - 1) |
                             1ull << (SIGFPE - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGABRT - 1) |
                             1ull << (SIGSYS - 1);

bool AsksForStack(const struct sigaction& action) {
  return (action.sa_flags & SA_ONSTACK) != 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// A vforked child shares this memory, but not its parent's handlers.
bool IsThisProcess() { return session.pid == 0 || session.pid == getpid(); }

int WantedFlag() {
  if (!stack_set.load(std::memory_order_relaxed)) return SA_ONSTACK;
  if (small_set.load(std::memory_order_relaxed)) return 0;
  const uint64_t asynchronous = on_stack.load(std::memory_order_relaxed) & ~kFaults;
  return small_stacks.load(std::memory_order_relaxed) || __builtin_popcountll(asynchronous) >= kAsksForAll ? SA_ONSTACK
                                                                                                           : 0;
}

void UpdateFlag() {
  const auto handler = our_handler.load(std::memory_order_acquire);
  if (handler == nullptr || WantedFlag() == our_flag.load(std::memory_order_relaxed)) return;
  struct sigaction now;
  if (real.sigaction(session.config.signal, nullptr, &now) != 0 || now.sa_sigaction != handler) return;
  if ((now.sa_flags & SA_ONSTACK) != our_flag.load(std::memory_order_relaxed)) return;  // other code chose it
  // Another thread may be here too. The last to look sets the right flag.
  for (int flag = WantedFlag(); flag != our_flag.exchange(flag, std::memory_order_seq_cst); flag = WantedFlag()) {
    now.sa_flags = (now.sa_flags & ~SA_ONSTACK) | flag;
    real.sigaction(session.config.signal, &now, nullptr);
  }
}

// Whether the sampling signal must stay out of handlers like this.
bool NeedsMask(const struct sigaction& action) {
  return small_set.load(std::memory_order_relaxed) && our_handler.load(std::memory_order_relaxed) != nullptr &&
         !session.ended.load(std::memory_order_relaxed) && AsksForStack(action) &&
         sigismember(&action.sa_mask, session.config.signal) == 0;
}

// Adds the sampling signal to the masks of existing handlers that need it.
void MaskHandlers() {
  for (int number = 1; number <= kSignals; ++number) {
    struct sigaction action;
    if (number == session.config.signal || real.sigaction(number, nullptr, &action) != 0 || !NeedsMask(action))
      continue;
    sigaddset(&action.sa_mask, session.config.signal);
    masked.fetch_or(Bit(number), std::memory_order_relaxed);
    real.sigaction(number, &action, nullptr);
  }
}

}  // namespace

// Two frames of the kernel, and 4 KiB for the program's handler.
size_t RoomForTwo() {
  constexpr size_t kLeast = 16384;
  constexpr size_t kHandlers = 2560 + 4096;
  const size_t needed = 2 * getauxval(AT_MINSIGSTKSZ) + kHandlers;
  return needed > kLeast ? needed : kLeast;
}

void NoteAlternateStack(const stack_t& stack) {
  if ((stack.ss_flags & SS_DISABLE) != 0 || !IsThisProcess()) return;
  const bool small = stack.ss_size < RoomForTwo();
  const bool first_small = small && !small_set.exchange(true, std::memory_order_relaxed);
  const bool first = !stack_set.exchange(true, std::memory_order_relaxed);
  if (first || first_small) UpdateFlag();
  if (first_small && our_handler.load(std::memory_order_acquire) != nullptr) MaskHandlers();
}

int SetProgramsAction(int number, const struct sigaction* action, struct sigaction* old) {
  if (Bit(number) == 0 || !IsThisProcess()) return real.sigaction(number, action, old);
  const bool was_masked = (masked.load(std::memory_order_relaxed) & Bit(number)) != 0;
  struct sigaction given;
  bool asks = false;
  bool masks = false;
  if (action != nullptr) {
    given = *action;
    asks = AsksForStack(given);
    masks = NeedsMask(given);
    if (masks) sigaddset(&given.sa_mask, session.config.signal);
  }
  const int result = real.sigaction(number, action != nullptr ? &given : nullptr, old);
  if (result != 0) return result;
  if (old != nullptr && was_masked) sigdelset(&old->sa_mask, session.config.signal);
  if (action == nullptr) return result;
  if (masks) {
    masked.fetch_or(Bit(number), std::memory_order_relaxed);
  } else if (was_masked) {
    masked.fetch_and(~Bit(number), std::memory_order_relaxed);
  }
  const uint64_t before = asks ? on_stack.fetch_or(Bit(number), std::memory_order_relaxed)
                               : on_stack.fetch_and(~Bit(number), std::memory_order_relaxed);
  if (((before & Bit(number)) != 0) != asks) UpdateFlag();
  return result;
}

bool WaitsForHandlers() { return masked.load(std::memory_order_relaxed) != 0; }

int SignalStackFlag(bool late) {
  // OCaml 5 runs its code on stacks in the heap. Its programs export their runtime.
  if (dlsym(RTLD_DEFAULT, "caml_try_realloc_stack") != nullptr) small_stacks.store(true, std::memory_order_relaxed);
  dlerror();  // the program's next dlerror() reports no error of ours
  if (late) {
    stack_set.store(true, std::memory_order_relaxed);
    for (int number = 1; number <= kSignals; ++number) {
      struct sigaction action;
      if (real.sigaction(number, nullptr, &action) == 0 && AsksForStack(action))
        on_stack.fetch_or(Bit(number), std::memory_order_relaxed);
    }
  }
  return WantedFlag();
}

void FollowSignalStacks(void (*handler)(int, siginfo_t*, void*), int flags) {
  our_flag.store(flags & SA_ONSTACK, std::memory_order_relaxed);
  our_handler.store(handler, std::memory_order_release);
  if (small_set.load(std::memory_order_relaxed)) MaskHandlers();
}

void RestoreMasks() {
  const uint64_t ours = masked.exchange(0, std::memory_order_relaxed);
  for (int number = 1; number <= kSignals; ++number) {
    struct sigaction action;
    if ((ours & Bit(number)) == 0 || real.sigaction(number, nullptr, &action) != 0) continue;
    sigdelset(&action.sa_mask, session.config.signal);
    real.sigaction(number, &action, nullptr);
  }
}

}  // namespace ompprof::collect
