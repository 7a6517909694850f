// Alternate signal stacks as programs have them: too small, used by coroutines, freed while set, or for threads on
// stacks without room. Each mode prints what it found disturbed.
//   signal_stacks small SIZE|autodisarm SIZE|coroutines KEPT|freed HOW|tiny HOW [MS]
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "truth.h"

TRUTH_WORK(host_work)
TRUTH_WORK(handler_work)

static double ms;
static truth::Account work("function", "host_work");
static truth::Account in_handler("function", "handler_work");
static constexpr unsigned char kPattern = 0x5a;

static void Work(double part) {
  const truth::Timed timed(work);
  host_work(truth::Iterations(ms * part));
}

// Not by Timed and Iterations: the handler's stack has a few hundred bytes.
static uint64_t handler_iterations;
static void Handle(int) { handler_work(handler_iterations); }

static void Unset() {
  const stack_t none = {nullptr, SS_DISABLE, 0};
  sigaltstack(&none, nullptr);
}

static long Changed(const unsigned char* begin, const unsigned char* end) {
  return end - begin - std::count(begin, end, kPattern);
}

// Works with an alternate stack of `size` bytes set, and on that stack where it can hold a handler at all. Bytes of
// other variables lie below.
static bool Small(size_t size, int flags) {
  alignas(4096) static thread_local unsigned char memory[64 * 1024];
  unsigned char* const low = memory + sizeof memory - size;
  std::fill(memory, low, kPattern);
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_ONSTACK;
  sigaddset(&action.sa_mask, SIGUSR2);
  const bool before = sigaction(SIGUSR1, &action, nullptr) == 0;
  const stack_t stack = {low, flags, size};
  if (sigaltstack(&stack, nullptr) != 0) return false;
  Work(0.3);
  if (size >= getauxval(AT_MINSIGSTKSZ) + 512) {
    const truth::Timed timed(in_handler);
    raise(SIGUSR1);
  }
  struct sigaction now;
  sigaction(SIGUSR1, nullptr, &now);
  const bool kept = sigismember(&now.sa_mask, SIGUSR2) == 1 && sigismember(&now.sa_mask, SIGPROF) == 0;
  sigaction(SIGUSR1, &action, &now);
  const bool kept_again = sigismember(&now.sa_mask, SIGUSR2) == 1 && sigismember(&now.sa_mask, SIGPROF) == 0;
  if (size >= getauxval(AT_MINSIGSTKSZ) + 512) {
    const truth::Timed timed(in_handler);
    raise(SIGUSR1);
  }
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  Unset();
  const long changed = Changed(memory, low);
  printf("below %zu bytes changed %ld, mask as it was set %d %d, profiling signal blocked %d\n", size, changed, kept,
         kept_again, sigismember(&mask, SIGPROF));
  return before && changed == 0 && kept && kept_again;
}

// A coroutine's frames lie on the alternate stack, which its creation has left behind.
struct Coroutine {
  alignas(64) unsigned char stack[64 * 1024];
  jmp_buf inside, outside;
  long spoilt;
  bool ready;
};
static Coroutine coroutines[3];
static Coroutine* volatile current;

static __attribute__((noinline)) void RunCoroutine(Coroutine* self) {
  volatile unsigned char locals[4096];
  for (volatile unsigned char& local : locals) local = kPattern;
  for (;;) {
    if (_setjmp(self->inside) == 0) _longjmp(self->outside, 1);
    self = current;
    for (volatile unsigned char& local : locals) self->spoilt += local != kPattern;
    Work(0.01);
  }
}

static void Begin(int) {
  Coroutine* const self = current;
  self->ready = true;
  if (_setjmp(self->inside) == 0) return;
  RunCoroutine(current);
}

static void Resume(Coroutine* coroutine) {
  current = coroutine;
  if (_setjmp(coroutine->outside) == 0) _longjmp(coroutine->inside, 1);
}

static bool Coroutines(bool kept) {
  struct sigaction action = {};
  action.sa_handler = Begin;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, nullptr);
  for (Coroutine& coroutine : coroutines) {
    const stack_t stack = {coroutine.stack, 0, sizeof coroutine.stack};
    sigaltstack(&stack, nullptr);
    current = &coroutine;
    raise(SIGUSR2);
    Resume(&coroutine);
    if (!kept) Unset();
  }
  for (int turn = 0; turn < 20; turn++) {
    Work(0.02);
    for (Coroutine& coroutine : coroutines) Resume(&coroutine);
  }
  Unset();
  long spoilt = 0;
  bool ready = true;
  for (const Coroutine& coroutine : coroutines) {
    spoilt += coroutine.spoilt;
    ready = ready && coroutine.ready;
  }
  printf("coroutines ran %d, locals spoilt %ld\n", ready, spoilt);
  return ready && spoilt == 0;
}

// The stack's memory is given back, or serves for something else, while the stack is still set.
static bool Freed(bool unmapped) {
  constexpr size_t kSize = 64 * 1024;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t stack = {memory, 0, kSize};
  sigaltstack(&stack, nullptr);
  auto* const bytes = static_cast<unsigned char*>(memory);
  if (unmapped) {
    munmap(memory, kSize);
  } else {
    std::fill(bytes, bytes + kSize, kPattern);
  }
  Work(1);
  Unset();
  const long changed = unmapped ? 0 : Changed(bytes, bytes + kSize);
  printf("in freed memory changed %ld\n", changed);
  return changed == 0;
}

// Calls function() with the stack pointer at `top`.
extern "C" void CallOnStack(unsigned char* top, void (*function)());
__asm__(
    ".text\n"
    ".type CallOnStack, @function\n"
    "CallOnStack:\n"
    ".cfi_startproc\n"
    "push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_offset %rbx, -16\n"
    "mov %rsp, %rbx\n"
    ".cfi_def_cfa_register %rbx\n"
    "mov %rdi, %rsp\n"
    "call *%rsi\n"
    "mov %rbx, %rsp\n"
    ".cfi_def_cfa_register %rsp\n"
    "pop %rbx\n"
    ".cfi_adjust_cfa_offset -8\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size CallOnStack, .-CallOnStack\n");

// A thread on a stack of 2 KiB with other bytes below, and a good alternate stack. Go sets the stack by a system call.
// Others set it by libc, and every handler asks for it.
static bool Tiny(bool by_libc) {
  alignas(64) static unsigned char memory[32 * 1024];
  alignas(64) static unsigned char alternate[64 * 1024];
  unsigned char* const low = memory + sizeof memory - 2048;
  std::fill(memory, low, kPattern);
  const stack_t stack = {alternate, 0, sizeof alternate};
  if (by_libc) {
    struct sigaction action = {};
    action.sa_handler = Handle;
    action.sa_flags = SA_ONSTACK;
    for (int number : {SIGINT, SIGTERM, SIGCHLD, SIGUSR1, SIGUSR2}) sigaction(number, &action, nullptr);
    sigaltstack(&stack, nullptr);
  } else {
    syscall(SYS_sigaltstack, &stack, nullptr);
  }
  CallOnStack(low + 2048, [] { Work(1); });
  Unset();
  const long changed = Changed(memory, low);
  printf("below the small stack changed %ld\n", changed);
  return changed == 0;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: signal_stacks small SIZE|autodisarm SIZE|coroutines KEPT|freed HOW|tiny HOW [MS]\n");
    return 2;
  }
  static const char* mode;
  static long how;
  mode = argv[1];
  how = truth::Argument(argc, argv, 2, 0);
  ms = static_cast<double>(truth::Argument(argc, argv, 3, 1000));
  handler_iterations = truth::Iterations(ms * 0.1);
  const auto run = [] {
    if (strcmp(mode, "small") == 0) return Small(static_cast<size_t>(how), 0);
    if (strcmp(mode, "autodisarm") == 0) return Small(static_cast<size_t>(how), static_cast<int>(1u << 31));
    if (strcmp(mode, "coroutines") == 0) return Coroutines(how != 0);
    if (strcmp(mode, "freed") == 0) return Freed(how != 0);
    return Tiny(how != 0);
  };
  bool right = run();
  if (strcmp(mode, "coroutines") != 0) std::thread([&] { right = run() && right; }).join();
  work.Print();
  in_handler.Print();
  truth::PrintProcess();
  return right ? 9 : 1;
}
