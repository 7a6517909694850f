// Stacks that are not one piece of readable memory with room below. Pages are taken away, alternate stacks have the
// least size, coroutines run, and stacks lie in odd places.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <algorithm>
#include <vector>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

constexpr size_t kPage = 4096;

char* PageAt(void* address) {
  return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(address) + kPage - 1) & ~(kPage - 1));
}

// Calls function() on another stack, in code that no unwind table describes.
extern "C" void CallOnStack(void (*function)(), void* top);
// Calls function() by a frame that its table gives a CFA at `cfa`.
extern "C" void CallWithCfaAt(void (*function)(), void* cfa);
// Calls function() by a frame that no unwind table describes.
extern "C" void CallWithoutTable(void (*function)());
// Calls function() by such a frame, with a wrong frame pointer.
extern "C" void CallWithFramePointer(void (*function)(), void* frame_pointer);
__asm__(
    ".text\n"
    ".type CallOnStack, @function\n"
    "CallOnStack:\n"
    "push %rbx\n"
    "mov %rsp, %rbx\n"
    "mov %rsi, %rsp\n"
    "call *%rdi\n"
    "mov %rbx, %rsp\n"
    "pop %rbx\n"
    "ret\n"
    ".size CallOnStack, .-CallOnStack\n"
    ".type CallWithoutTable, @function\n"
    "CallWithoutTable:\n"
    "sub $8, %rsp\n"
    "call *%rdi\n"
    "add $8, %rsp\n"
    "ret\n"
    ".size CallWithoutTable, .-CallWithoutTable\n"
    ".type CallWithFramePointer, @function\n"
    "CallWithFramePointer:\n"
    "push %rbp\n"
    "mov %rsi, %rbp\n"
    "call *%rdi\n"
    "pop %rbp\n"
    "ret\n"
    ".size CallWithFramePointer, .-CallWithFramePointer\n"
    ".type CallWithCfaAt, @function\n"
    "CallWithCfaAt:\n"
    ".cfi_startproc\n"
    "push %rbx\n"
    ".cfi_adjust_cfa_offset 8\n"
    ".cfi_offset %rbx, -16\n"
    "mov %rsi, %rbx\n"
    ".cfi_def_cfa rbx, 0\n"
    "call *%rdi\n"
    ".cfi_def_cfa rsp, 16\n"
    "pop %rbx\n"
    ".cfi_adjust_cfa_offset -8\n"
    "ret\n"
    ".cfi_endproc\n"
    ".size CallWithCfaAt, .-CallWithCfaAt\n");

char* unreadable;

// The function has no frame of its own: the frame pointer is the caller's.
extern "C" void LoopWithoutTable();
__asm__(
    ".text\n"
    ".type LoopWithoutTable, @function\n"
    "LoopWithoutTable:\n"
    "mov $100000000, %ecx\n"
    "1: dec %ecx\n"
    "jnz 1b\n"
    "ret\n"
    ".size LoopWithoutTable, .-LoopWithoutTable\n");

void WorkHalf() { Work(total_ms / 2); }

// A page amid the frames. Only a walk that has lost its way reads it.
TRUTH_FUNCTION void WithAPageAway(void (*work)()) {
  char* const memory = static_cast<char*>(__builtin_alloca(4 * kPage));
  char* const page = PageAt(memory + kPage);
  memory[0] = 1;
  unreadable = page;
  mprotect(page, kPage, PROT_NONE);
  work();
  mprotect(page, kPage, PROT_READ | PROT_WRITE);
  TRUTH_NO_TAIL_CALL();
}

int PageAway() {
  WithAPageAway(WorkHalf);
  WithAPageAway([] { CallWithoutTable(WorkHalf); });
  WithAPageAway([] { CallWithFramePointer(LoopWithoutTable, unreadable + 64); });
  printf("worked\n");
  return 0;
}

int PageAwayInAThread() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        PageAway();
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  return 0;
}

// A stack carved from the thread's own, with a guard below and a guard above.
TRUTH_FUNCTION int CarvedStack() {
  char* const memory = static_cast<char*>(__builtin_alloca(64 * kPage));
  char* const low = PageAt(memory);
  mprotect(low, kPage, PROT_NONE);
  mprotect(low + 60 * kPage, kPage, PROT_NONE);
  CallOnStack(WorkHalf, low + 60 * kPage);
  CallOnStack([] { CallWithoutTable(WorkHalf); }, low + 60 * kPage);
  mprotect(low, kPage, PROT_READ | PROT_WRITE);
  mprotect(low + 60 * kPage, kPage, PROT_READ | PROT_WRITE);
  printf("worked\n");
  return 0;
}

int CarvedStackInAThread() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        CarvedStack();
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  return 0;
}

TRUTH_FUNCTION int FramesThatLeadThere() {
  char* const memory = static_cast<char*>(__builtin_alloca(8 * kPage));
  unreadable = PageAt(memory + 2 * kPage);
  mprotect(unreadable, kPage, PROT_NONE);
  CallWithCfaAt(WorkHalf, unreadable + 64);
  CallWithCfaAt(WorkHalf, unreadable + kPage + 8);  // its return address is the page's last word
  mprotect(unreadable, kPage, PROT_READ | PROT_WRITE);
  printf("worked\n");
  return 0;
}

// Frames that lead nowhere at all.
int FramesThatLeadAway() {
  for (const uintptr_t cfa : {uintptr_t{16}, ~uintptr_t{0} - 7, uintptr_t{1} << 47, uintptr_t{1} << 63}) {
    static uintptr_t there;
    there = cfa;
    CallWithCfaAt([] { Work(total_ms / 4); }, reinterpret_cast<void*>(there));
  }
  printf("worked\n");
  return 0;
}

alignas(kPage) unsigned char memory[256 * 1024];

// Works with an alternate stack of that size, at the end of memory that must not change.
int AltStackOf(size_t size) {
  constexpr unsigned char kPattern = 0x5a;
  std::fill(std::begin(memory), std::end(memory), kPattern);
  unsigned char* const low = memory + sizeof memory - size;
  const stack_t stack = {low, 0, size};
  const int result = sigaltstack(&stack, nullptr);
  Work(total_ms);
  const stack_t none = {nullptr, SS_DISABLE, 0};
  sigaltstack(&none, nullptr);
  printf("sigaltstack %d, changed below %ld\n", result, (low - memory) - std::count(memory, low, kPattern));
  return 0;
}

int AltStack2048() { return AltStackOf(2048); }
int AltStackLeast() { return AltStackOf(std::max<size_t>(getauxval(AT_MINSIGSTKSZ), 2048)); }
int AltStack4096() { return AltStackOf(4096); }
int AltStack16384() { return AltStackOf(16384); }

jmp_buf in_main, in_coroutine;
volatile long damaged;

TRUTH_FUNCTION void Coroutine(int) {
  volatile unsigned char locals[24 * 1024];
  for (volatile unsigned char& local : locals) local = 0xa5;
  if (_setjmp(in_coroutine) == 0) _longjmp(in_main, 1);
  long count = 0;
  for (const volatile unsigned char& local : locals) count += local != 0xa5;
  damaged = count;
  _longjmp(in_main, 2);
}

// Frames stay on the alternate stack while the thread runs elsewhere.
int SigaltstackCoroutine() {
  const stack_t stack = {memory, 0, sizeof memory};
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = Coroutine;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigaction(SIGUSR1, &action, nullptr);
  const int came = _setjmp(in_main);
  if (came == 0) raise(SIGUSR1);
  if (came == 1) {
    Work(total_ms);
    _longjmp(in_coroutine, 1);
  }
  printf("damaged %s\n", damaged != 0 ? "locals" : "nothing");
  return 0;
}

int FreedAltStack() {
  void* const area = mmap(nullptr, 16 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t stack = {area, 0, 16 * kPage};
  sigaltstack(&stack, nullptr);
  munmap(area, 16 * kPage);
  Work(total_ms);
  printf("worked\n");
  return 0;
}

int handled;
sigjmp_buf recovered;

TRUTH_FUNCTION int Recurse(volatile int* depth) {
  volatile char frame[512];
  frame[0] = 1;
  *depth = *depth + 1;
  if (*depth == 1 << 30) return 0;  // never
  return Recurse(depth) + frame[0];
}

// The stack overflows, and the handler on an alternate stack jumps out, as in interpreters.
int OverflowRecovered() {
  static unsigned char area[64 * 1024];
  const stack_t stack = {area, 0, sizeof area};
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(recovered, 1); };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  for (volatile int i = 0; i < 20; i = i + 1) {
    Work(total_ms / 20);
    volatile int depth = 0;
    if (sigsetjmp(recovered, 1) == 0) Recurse(&depth);
    handled++;
  }
  printf("recovered %d\n", handled);
  const stack_t none = {nullptr, SS_DISABLE, 0};
  sigaltstack(&none, nullptr);
  return 0;
}

ucontext_t contexts[3];
int switches;

void PingPong(int self) {
  for (int i = 0; i < 5000; i++) {
    switches++;
    if (i % 50 == 0) Work(total_ms / 200);
    swapcontext(&contexts[self], &contexts[3 - self]);
  }
}

int Swapcontext() {
  static std::vector<char> stacks[3];
  for (int i = 1; i <= 2; i++) {
    stacks[i].resize(64 * 1024);
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stacks[i].data();
    contexts[i].uc_stack.ss_size = stacks[i].size();
    contexts[i].uc_link = &contexts[0];
    makecontext(&contexts[i], reinterpret_cast<void (*)()>(PingPong), 1, i);
  }
  swapcontext(&contexts[0], &contexts[1]);
  printf("switches %d\n", switches);
  return 0;
}

TRUTH_FUNCTION int Deep(int depth, double ms) {
  if (depth == 0) {
    Work(ms);
    return 0;
  }
  const int result = Deep(depth - 1, ms) + 1;
  TRUTH_NO_TAIL_CALL();
  return result;
}

int DeepRecursion() {
  printf("depth %d\n", Deep(60000, total_ms));
  return 0;
}

// Works with almost nothing left of a small stack.
int NearTheEnd() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024);
  pthread_t thread;
  pthread_create(
      &thread, &attributes,
      [](void*) -> void* {
        volatile char used[64 * 1024 - 16 * 1024];
        used[0] = 1;
        Work(total_ms);
        asm volatile("" ::"r"(used) : "memory");
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  printf("worked\n");
  return 0;
}

// A thread on the program's own memory, without a guard. The program reuses the memory as soon as the thread ends.
int OwnMemory() {
  for (int i = 0; i < 10; i++) {
    void* const area = mmap(nullptr, 128 * 1024, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, area, 128 * 1024);
    pthread_t thread;
    pthread_create(
        &thread, &attributes,
        [](void*) -> void* {
          Work(total_ms / 10);
          return nullptr;
        },
        nullptr);
    pthread_join(thread, nullptr);
    munmap(area, 128 * 1024);
  }
  printf("worked\n");
  return 0;
}

int HugeStack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{8} << 30);
  pthread_t thread;
  const int error = pthread_create(
      &thread, &attributes,
      [](void*) -> void* {
        volatile char big[64 << 20];
        big[0] = 1;
        Work(total_ms);
        asm volatile("" ::"r"(big) : "memory");
        return nullptr;
      },
      nullptr);
  if (error == 0) pthread_join(thread, nullptr);
  printf("thread %d\n", error);
  return 0;
}

// The program gives used stack back to the kernel, over and over.
int GivenBack() {
  for (int i = 0; i < 100; i++) {
    Deep(200, total_ms / 100);
    char* const here = static_cast<char*>(__builtin_frame_address(0));
    char* const low = PageAt(here - 64 * kPage);
    madvise(low, 32 * kPage, MADV_DONTNEED);
  }
  printf("worked\n");
  return 0;
}

int NoLimit() {
  const rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  rlimit now;
  getrlimit(RLIMIT_STACK, &now);
  if (now.rlim_cur != RLIM_INFINITY) {
    if (setrlimit(RLIMIT_STACK, &none) != 0) return 90;
    char ms[16];
    snprintf(ms, sizeof ms, "%.0f", total_ms);
    execl("/proc/self/exe", "stacks", "no_limit", ms, nullptr);
  }
  printf("depth %d\n", Deep(200000, total_ms));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"page_away", PageAway},
                                       {"page_away_in_a_thread", PageAwayInAThread},
                                       {"carved_stack", CarvedStack},
                                       {"carved_stack_in_a_thread", CarvedStackInAThread},
                                       {"frames_that_lead_there", FramesThatLeadThere},
                                       {"frames_that_lead_away", FramesThatLeadAway},
                                       {"alt_stack_2048", AltStack2048},
                                       {"alt_stack_least", AltStackLeast},
                                       {"alt_stack_4096", AltStack4096},
                                       {"alt_stack_16384", AltStack16384},
                                       {"sigaltstack_coroutine", SigaltstackCoroutine},
                                       {"freed_alt_stack", FreedAltStack},
                                       {"overflow_recovered", OverflowRecovered},
                                       {"swapcontext", Swapcontext},
                                       {"deep_recursion", DeepRecursion},
                                       {"near_the_end", NearTheEnd},
                                       {"own_memory", OwnMemory},
                                       {"huge_stack", HugeStack},
                                       {"given_back", GivenBack},
                                       {"no_limit", NoLimit}};
  return faults::Run(argc, argv, modes);
}
