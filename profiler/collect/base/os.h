// The collector's few needs from the system: mapped memory under a budget, clocks, warnings. They take no lock of libc
// and leave errno alone. All but Warn are async-signal-safe.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_OS_H_
#define OMPPROF_PROFILER_COLLECT_BASE_OS_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include <initializer_list>

namespace ompprof::collect {

// Zeroed pages for data that grows with the run (trees, region records), counted against the budget. NULL if the budget
// or the system has no more.
void* MapMemory(size_t bytes);
void UnmapMemory(void* memory, size_t bytes);

// Zeroed pages for data that each thread needs once. They are not counted, because most of these pages are never
// touched. NULL if the system has no more.
void* MapFixed(size_t bytes);
void UnmapFixed(void* memory, size_t bytes);

// Sets --max-memory. Pages mapped before count too.
void SetMemoryBudget(uint64_t bytes);
uint64_t MappedMemory();
// Called in a forked child, which never uses the parent's mapped memory again.
void ForgetMappedMemory();

// libc's own functions. The program's functions of these names may belong to somebody else (a sanitizer, libfaketime).
// They may take locks, and tell another time. Before FindLibcFunctions, plain versions stand here.
struct LibcFunctions {
  int (*clock_gettime)(clockid_t, timespec*);
  void* (*memcpy)(void*, const void*, size_t);
  void* (*memmove)(void*, const void*, size_t);
  void* (*memset)(void*, int, size_t);
};
extern LibcFunctions libc_functions;
// Not in the handler, and not before libc is initialized: a dlopen at that time takes the environment away from libc.
void FindLibcFunctions();

// The clock's time in nanoseconds; 0 for the CPU clock of a thread that is gone.
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

// Processors, by their numbers: bit n % 64 of word n / 64.
struct ProcessorSet {
  static constexpr uint32_t kMost = 1024;
  uint64_t words[kMost / 64];

  bool Has(uint32_t processor) const { return (words[processor / 64] >> processor % 64 & 1) != 0; }
  bool empty() const { return size() == 0; }
  uint32_t size() const;
};

// The processors that a thread of this process may use (its affinity mask); `tid` 0: the calling thread. Empty if the
// kernel does not tell, or knows more than kMost processors. A system call.
ProcessorSet ProcessorsOf(pid_t tid);

// How often the calling thread has gone to sleep by itself. The kernel's preemptions don't count. A system call.
uint64_t VoluntarySwitches();

// stat, lstat (AT_SYMLINK_NOFOLLOW) and fstat (AT_EMPTY_PATH): 0, or -errno. libc's functions need glibc 2.33.
int FileStatus(int folder, const char* path, int flags, struct stat* status);

// The kernel's work for the calling thread since its start. A system call.
struct KernelWork {
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;
  uint64_t cpu_us = 0;
  uint64_t left = 0;  // how often the thread has left its processor to sleep,
  uint64_t lost = 0;  // and lost it to another thread
};
KernelWork KernelWorkOfThread();

// CPU time of the processes that this process has started and waited for, and of those that they have waited for.
uint64_t ChildrenCpuNs();

// A system call that leaves errno alone: the result, or -errno.
long RawSyscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0);

// Sets the calling thread's signal mask (bit n - 1: signal n) without this library's wrappers. Returns the previous
// mask.
uint64_t SetSignalMask(uint64_t mask);
// The calling thread's signal mask.
uint64_t OwnSignalMask();
// All signals except two that libc uses, for cancellation and for changes of the user.
inline constexpr uint64_t kAllSignals = ~(3ull << 31);

// Reads the beginning of a file, as much as fits. Returns the number of bytes; 0 also if the file cannot be opened.
size_t ReadWholeFile(const char* path, char* out, size_t size);

// Waits until *word != expected, until a wake-up, or until the timeout (0: no timeout).
void FutexWait(const void* word, uint32_t expected, uint64_t timeout_ns);
void FutexWake(const void* word);

// Waits, at most `patience_ns`, until the kernel no longer counts the thread. That is a little after pthread_join
// returns.
void AwaitThreadsEnd(pid_t process, pid_t tid, uint64_t patience_ns);

// From now on, warnings name the process: "ompprof: orted (process 4711): ...". For processes that the user's program
// has started: otherwise their warnings would look like the program's.
void NameProcessInWarnings();

// One line on standard error, "ompprof: ...\n", in one write. Not for the handler.
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The same, of texts that are joined, without the process's name. Async-signal-safe, and for a child of vfork.
void WarnOf(std::initializer_list<const char*> texts);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_BASE_OS_H_
