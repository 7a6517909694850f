// Programs that use the processor in ways that compilers don't, and limits of the kernel other than memory and
// descriptors.
#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <thread>
#include <vector>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

void Limit(decltype(RLIMIT_AS) which, rlim_t soft, rlim_t hard) {
  const rlimit limit = {soft, hard};
  faults::Expect(setrlimit(which, &limit) == 0, "setrlimit");
}

// A signal reports every rounding, division or overflow.
int FloatTraps() {
  truth::Iterations(1);
  feclearexcept(FE_ALL_EXCEPT);
  const uint64_t iterations = truth::Iterations(total_ms);
  feenableexcept(FE_ALL_EXCEPT);
  fault_work(iterations);
  fedisableexcept(FE_ALL_EXCEPT);
  printf("worked\n");
  return 0;
}

// Two threads wait for each other at barriers, a lock and tasks, by turns. Meanwhile any floating-point exception
// traps.
int TrapsInRegions(int traps) {
  static omp_lock_t lock;
  omp_init_lock(&lock);
  const uint64_t piece = truth::Iterations(total_ms / 200);
#pragma omp parallel num_threads(2)
  {
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(traps);
    for (int i = 0; i < 100; i++) {
      fault_work(omp_get_thread_num() == i % 2 ? piece : piece / 10);
      omp_set_lock(&lock);
      fault_work(piece / 20);
      omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp single
      for (int j = 0; j < 4; j++) {
#pragma omp task
        fault_work(piece / 20);
      }
    }
    fedisableexcept(FE_ALL_EXCEPT);
  }
  omp_destroy_lock(&lock);
  printf("worked\n");
  return 0;
}

// Nothing raises exception flags in a thread but the program's own calculations. Regions follow until a flag is raised.
int FloatFlags() {
  int raised = 0;
  for (int round = 0; round < 15 && raised == 0; round++) {
#pragma omp parallel num_threads(2) reduction(| : raised)
    {
      feclearexcept(FE_ALL_EXCEPT);
#pragma omp barrier
      for (int i = 0; i < 50; i++) {
        fault_work(200000);
#pragma omp barrier
      }
      raised |= fetestexcept(FE_ALL_EXCEPT);
    }
    fault_work(1000000);
  }
  printf("flags raised %d\n", raised);
  return 0;
}

// Traps as -ffpe-trap=zero,invalid,overflow sets them.

__attribute__((noinline)) void Count(uint64_t iterations) {
  for (volatile uint64_t i = 0; i < iterations;) i = i + 1;
}

// A program that may not even round: only a profiler would calculate in floating point here.
int AllTraps() {
  const uint64_t piece = truth::Iterations(total_ms / 100);
  static omp_lock_t lock;
  omp_init_lock(&lock);
  feenableexcept(FE_ALL_EXCEPT);
  std::thread([piece] { Count(10 * piece); }).join();  // a thread begins with its maker's traps
#pragma omp parallel num_threads(2)
  {
    feenableexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < 100; i++) {
      Count(omp_get_thread_num() == i % 2 ? piece : piece / 10);
      omp_set_lock(&lock);
      Count(piece / 20);
      omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp single
      for (int j = 0; j < 4; j++) {
#pragma omp task
        Count(piece / 20);
      }
    }
  }
  printf("worked\n");
  return 0;
}
int UsualTrapsInRegions() { return TrapsInRegions(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW); }

int Rounding() {
  long wrong = 0;
  fesetround(FE_UPWARD);
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  const volatile double one = 1, three = 3;
  const double up = one / three;
  for (int i = 0; i < 300; i++) {
    Work(total_ms / 300);
    const double now = one / three;
    wrong += now != up || fegetround() != FE_UPWARD;
  }
  printf("wrong %ld\n", wrong);
  return 0;
}

// Sixteen vector registers whose values must stay.
int VectorRegisters() {
  long wrong = 0;
  for (int i = 0; i < 300; i++) {
    unsigned mask = 0;
    __asm__ volatile(
        "pcmpeqd %%xmm8, %%xmm8\n"
        "movdqa %%xmm8, %%xmm9\n"
        "movdqa %%xmm8, %%xmm15\n"
        "mov %1, %%ecx\n"
        "1: dec %%ecx\n"
        "jnz 1b\n"
        "pand %%xmm9, %%xmm8\n"
        "pand %%xmm15, %%xmm8\n"
        "pmovmskb %%xmm8, %0\n"
        : "=r"(mask)
        : "r"(2000000)
        : "ecx", "xmm8", "xmm9", "xmm15", "cc");
    wrong += mask != 0xffff;
  }
  printf("wrong %ld\n", wrong);
  return 0;
}

// A misaligned access raises SIGBUS as long as the flag is set.
int AlignmentCheck() {
  const uint64_t iterations = truth::Iterations(total_ms);
  __asm__ volatile(
      "pushfq\n"
      "orl $0x40000, (%%rsp)\n"
      "popfq\n" ::
          : "memory", "cc");
  fault_work(iterations);
  __asm__ volatile(
      "pushfq\n"
      "andl $~0x40000, (%%rsp)\n"
      "popfq\n" ::
          : "memory", "cc");
  printf("worked\n");
  return 0;
}

// Strings that are copied backwards.
int DirectionFlag() {
  const uint64_t iterations = truth::Iterations(total_ms);
  __asm__ volatile("std" ::: "cc");
  uint64_t x = 1;
  for (uint64_t i = 0; i < iterations; i++) {
    x ^= x << 13;
    __asm__ volatile("" : "+r"(x));
  }
  unsigned long flags;
  __asm__ volatile("pushfq\npop %0\ncld" : "=r"(flags)::"cc");
  printf("still backwards %d\n", (flags & 0x400) != 0);
  return 0;
}

// The program reads no clock meanwhile, by any instruction.
int NoTimestamps() {
  const uint64_t iterations = truth::Iterations(total_ms);
  if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0) return 90;
  fault_work(iterations);
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  printf("worked\n");
  return 0;
}

// Another thread-local storage for a while, as emulators and Windows programs under Wine have.
int OtherThreadPointer() {
  const uint64_t iterations = truth::Iterations(total_ms);
  alignas(64) static char block[16384];
  unsigned long own;
  syscall(SYS_arch_prctl, ARCH_GET_FS, &own);
  const unsigned long other = reinterpret_cast<unsigned long>(block + 8192);
  long result;
  // One piece of assembly: nothing of libc is called in between.
  __asm__ volatile(
      "syscall\n"
      "mov %[iterations], %%rcx\n"
      "1: imul $3, %%r8, %%r8\n"
      "imul $3, %%r8, %%r8\n"
      "dec %%rcx\n"
      "jnz 1b\n"
      "mov %[call], %%eax\n"
      "mov %[set], %%edi\n"
      "mov %[own], %%rsi\n"
      "syscall\n"
      : "=a"(result)
      : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS),
        "S"(other), [iterations] "r"(iterations), [own] "r"(own), [call] "i"(SYS_arch_prctl), [set] "i"(ARCH_SET_FS)
      : "rcx", "r8", "r11", "memory", "cc");
  printf("worked %ld\n", result);
  return 0;
}

// Where no signal is expected, code uses the stack pointer as one more register.
int StackPointerAsData() {
  const uint64_t iterations = truth::Iterations(total_ms);
  uint64_t sum;
  __asm__ volatile(
      "mov %%rsp, %%r9\n"
      "mov %[iterations], %%rcx\n"
      "xor %%esp, %%esp\n"
      "1: add %%rcx, %%rsp\n"
      "dec %%rcx\n"
      "jnz 1b\n"
      "mov %%rsp, %[sum]\n"
      "mov %%r9, %%rsp\n"
      : [sum] "=&r"(sum)
      : [iterations] "r"(iterations)
      : "rcx", "r9", "cc");
  printf("right %d\n", sum == iterations * (iterations + 1) / 2);
  return 0;
}

// 128 bytes below the stack pointer belong to a function that calls no other.
int RedZone() {
  long wrong = 0;
  for (int i = 0; i < 300; i++) {
    uint64_t first, last;
    __asm__ volatile(
        "movq $0x1111, -8(%%rsp)\n"
        "movq $0x2222, -128(%%rsp)\n"
        "mov %2, %%ecx\n"
        "1: dec %%ecx\n"
        "jnz 1b\n"
        "mov -8(%%rsp), %0\n"
        "mov -128(%%rsp), %1\n"
        : "=&r"(first), "=&r"(last)
        : "r"(2000000)
        : "ecx", "memory", "cc");
    wrong += first != 0x1111 || last != 0x2222;
  }
  printf("wrong %ld\n", wrong);
  return 0;
}

int NoPendingSignals() {
  Limit(RLIMIT_SIGPENDING, 0, 0);
  std::thread([] { Work(total_ms / 2); }).join();
  Work(total_ms / 2);
  printf("worked\n");
  return 0;
}

// The limit is there from the start.
int NoPendingSignalsAtAll() {
  Limit(RLIMIT_SIGPENDING, 0, 0);
  execl("/proc/self/exe", "machine", "just_work", "300", nullptr);
  return 90;
}

int JustWork() {
  std::thread([] { Work(total_ms / 2); }).join();
  Work(total_ms / 2);
  printf("worked\n");
  return 0;
}

int SmallFiles() {
  Limit(RLIMIT_FSIZE, 100, RLIM_INFINITY);
  execl("/proc/self/exe", "machine", "just_work", "300", nullptr);
  return 90;
}

int FileTooLarge() {
  Limit(RLIMIT_FSIZE, 100000, RLIM_INFINITY);
  Work(total_ms);
  FILE* const file = fopen("large", "w");
  for (int i = 0; i < 100000; i++) fputs("one line more\n", file);
  return 1;
}

int FileTooLargeIgnored() {
  signal(SIGXFSZ, SIG_IGN);
  Limit(RLIMIT_FSIZE, 100000, RLIM_INFINITY);
  Work(total_ms);
  FILE* const file = fopen("large", "w");
  int i = 0;
  while (i < 100000 && fputs("one line more\n", file) >= 0) i++;
  printf("failed %d, error %d\n", i < 100000, errno);
  return 0;
}

// A second of CPU time, then a signal that ends it.
int CpuTimeUp() {
  Limit(RLIMIT_CPU, 1, 3);
  for (;;) fault_work(1000000);
}

// A user that may have no further thread.
int NoThreads() {
  if (setresgid(65533, 65533, 65533) != 0 || setresuid(65533, 65533, 65533) != 0) return 90;
  Limit(RLIMIT_NPROC, 1, 1);
  execl("/proc/self/exe", "machine", "tries_threads", "300", nullptr);
  return 91;
}

int TriesThreads() {
  Work(total_ms);
  pthread_t thread;
  const int error = pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  printf("thread: %d\n", error);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  printf("fork: %d\n", child < 0 ? errno : 0);
  return 0;
}

int NoCore() {
  Limit(RLIMIT_CORE, 0, 0);
  Work(total_ms);
  abort();
}

// Denormals by the million, in a region.
int SlowNumbers() {
  double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 2000000; i++) sum += sqrt(static_cast<double>(i)) * 1e-310;
  Work(total_ms);
  printf("%a\n", sum > 0 ? 1.0 : 0.0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"float_traps", FloatTraps},
                                       {"float_flags", FloatFlags},
                                       {"usual_traps_in_regions", UsualTrapsInRegions},
                                       {"all_traps", AllTraps},
                                       {"rounding", Rounding},
                                       {"vector_registers", VectorRegisters},
                                       {"alignment_check", AlignmentCheck},
                                       {"direction_flag", DirectionFlag},
                                       {"no_timestamps", NoTimestamps},
                                       {"other_thread_pointer", OtherThreadPointer},
                                       {"stack_pointer_as_data", StackPointerAsData},
                                       {"red_zone", RedZone},
                                       {"no_pending_signals", NoPendingSignals},
                                       {"no_pending_signals_at_all", NoPendingSignalsAtAll},
                                       {"just_work", JustWork},
                                       {"small_files", SmallFiles},
                                       {"file_too_large", FileTooLarge},
                                       {"file_too_large_ignored", FileTooLargeIgnored},
                                       {"cpu_time_up", CpuTimeUp},
                                       {"no_threads", NoThreads},
                                       {"tries_threads", TriesThreads},
                                       {"no_core", NoCore},
                                       {"slow_numbers", SlowNumbers}};
  return faults::Run(argc, argv, modes);
}
