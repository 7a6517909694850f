// The few things the collector needs from the system, without libc's locks and without touching errno's meaning:
// mapped memory under a budget, clocks, warnings. All but Warn are async-signal-safe.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_OS_H_
#define OMPPROF_PROFILER_COLLECT_BASE_OS_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

namespace ompprof::collect {

// Zeroed pages for what grows with the run (trees, region records), counted against the budget. NULL if the budget
// or the system has none left.
void* MapMemory(size_t bytes);
void UnmapMemory(void* memory, size_t bytes);

// Zeroed pages for what each thread needs once, not counted: most of it is never touched. NULL if the system has none
// left.
void* MapFixed(size_t bytes);
void UnmapFixed(void* memory, size_t bytes);

// --max-memory. What is mapped already counts.
void SetMemoryBudget(uint64_t bytes);
uint64_t MappedMemory();
// In a forked child, where what the parent had mapped is never used again.
void ForgetMappedMemory();

// libc's own functions. What the program calls by these names may be somebody else's (a sanitizer's, libfaketime's),
// takes locks, and has another time. Until FindLibcFunctions there are plain ones instead.
struct LibcFunctions {
  int (*clock_gettime)(clockid_t, timespec*);
  void* (*memcpy)(void*, const void*, size_t);
  void* (*memmove)(void*, const void*, size_t);
  void* (*memset)(void*, int, size_t);
};
extern LibcFunctions libc_functions;
// Not in the handler, and not before libc has been initialized: a dlopen then takes the environment away from it.
void FindLibcFunctions();

// 0 for the CPU clock of a thread that is gone.
inline uint64_t ClockNs(clockid_t clock) {
  timespec now{0, 0};
  libc_functions.clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000ull + static_cast<uint64_t>(now.tv_nsec);
}
inline uint64_t MonotonicNs() { return ClockNs(CLOCK_MONOTONIC); }
inline uint64_t ThreadCpuNs() { return ClockNs(CLOCK_THREAD_CPUTIME_ID); }

// The CPU clock of another thread of this process (the kernel's encoding of a per-thread CPU clock id).
inline clockid_t ThreadCpuClock(pid_t tid) { return static_cast<clockid_t>((~static_cast<uint32_t>(tid) << 3) | 6u); }

pid_t Tid();

// How often the calling thread has gone to sleep of itself, rather than been kept from running. A system call.
uint64_t VoluntarySwitches();

// A system call that leaves errno alone: the result, or -errno.
long RawSyscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0);

// Sets the calling thread's signal mask (bit n - 1: signal n) past the wrappers of this library. What it was before.
uint64_t SetSignalMask(uint64_t mask);
// All but the two that libc uses itself, for cancellation and for changes of the user.
inline constexpr uint64_t kAllSignals = ~(3ull << 31);

// As much of the file as fits: how many bytes; 0 also where it cannot be opened.
size_t ReadWholeFile(const char* path, char* out, size_t size);

// Waits until *word != expected, a wake-up, or the timeout (0: none).
void FutexWait(const void* word, uint32_t expected, uint64_t timeout_ns);
void FutexWake(const void* word);

// Waits, at most `patience_ns`, until the kernel counts the thread no longer: a little after pthread_join returns.
void AwaitThreadsEnd(pid_t process, pid_t tid, uint64_t patience_ns);

// From now on warnings name the process: "ompprof: orted (process 4711): ...". For processes that the user's program has
// started, whose warnings would otherwise look like the program's.
void NameProcessInWarnings();

// One line on standard error, "ompprof: ...\n", in one write. Not for the handler.
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_OS_H_
