#include "profiler/collect/base/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/lib-names.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>

#include "profiler/collect/arch/system_call.h"

namespace ompprof::collect {
namespace {

std::atomic<uint64_t> mapped_bytes{0};
std::atomic<uint64_t> budget_bytes{~0ull};

int KernelClock(clockid_t clock, timespec* now) {
  return static_cast<int>(RawSyscall(SYS_clock_gettime, clock, reinterpret_cast<long>(now)));
}

// Volatile, because the compiler would replace plain loops by calls of these very functions.
void* PlainMove(void* to, const void* from, size_t size) {
  auto* out = static_cast<volatile char*>(to);
  const auto* in = static_cast<const char*>(from);
  if (out <= in) {
    for (size_t i = 0; i < size; ++i) out[i] = in[i];
  } else {
    for (size_t i = size; i-- > 0;) out[i] = in[i];
  }
  return to;
}

void* PlainSet(void* to, int value, size_t size) {
  auto* out = static_cast<volatile char*>(to);
  for (size_t i = 0; i < size; ++i) out[i] = static_cast<char>(value);
  return to;
}

template <typename Function>
void FindIn(void* library, const char* name, Function* out) {
  void* found = dlsym(library, name);
  if (found != nullptr) *out = reinterpret_cast<Function>(found);
}

}  // namespace

LibcFunctions libc_functions = {KernelClock, PlainMove, PlainMove, PlainSet};

void FindLibcFunctions() {
  void* library = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) {
    dlerror();  // the program's next dlerror() reports no error of ours
    return;
  }
  FindIn(library, "clock_gettime", &libc_functions.clock_gettime);
  FindIn(library, "memcpy", &libc_functions.memcpy);
  FindIn(library, "memmove", &libc_functions.memmove);
  FindIn(library, "memset", &libc_functions.memset);
  // The library stays open: this library stands in front of dlclose, and libc stays anyway.
}

long RawSyscall(long number, long a, long b, long c, long d, long e, long f) {
  return arch::RawSyscall(number, a, b, c, d, e, f);
}

void* MapFixed(size_t bytes) {
  const long address = RawSyscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<void*>(address);
}

void UnmapFixed(void* memory, size_t bytes) {
  if (memory != nullptr) RawSyscall(SYS_munmap, reinterpret_cast<long>(memory), static_cast<long>(bytes));
}

void* MapMemory(size_t bytes) {
  void* memory = nullptr;
  if (mapped_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes <= budget_bytes.load(std::memory_order_relaxed))
    memory = MapFixed(bytes);
  if (memory == nullptr) mapped_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  return memory;
}

void UnmapMemory(void* memory, size_t bytes) {
  if (memory == nullptr) return;
  UnmapFixed(memory, bytes);
  mapped_bytes.fetch_sub(bytes, std::memory_order_relaxed);
}

void SetMemoryBudget(uint64_t bytes) { budget_bytes.store(bytes, std::memory_order_relaxed); }
uint64_t MappedMemory() { return mapped_bytes.load(std::memory_order_relaxed); }
void ForgetMappedMemory() { mapped_bytes.store(0, std::memory_order_relaxed); }

uint64_t VoluntarySwitches() {
  rusage usage;
  usage.ru_nvcsw = 0;
  RawSyscall(SYS_getrusage, RUSAGE_THREAD, reinterpret_cast<long>(&usage));
  return static_cast<uint64_t>(usage.ru_nvcsw);
}

int FileStatus(int folder, const char* path, int flags, struct stat* status) {
  return static_cast<int>(
      RawSyscall(SYS_newfstatat, folder, reinterpret_cast<long>(path), reinterpret_cast<long>(status), flags));
}

KernelWork KernelWorkOfThread() {
  rusage usage;
  if (RawSyscall(SYS_getrusage, RUSAGE_THREAD, reinterpret_cast<long>(&usage)) != 0) return {};
  return {static_cast<uint64_t>(usage.ru_minflt), static_cast<uint64_t>(usage.ru_majflt),
          static_cast<uint64_t>(usage.ru_stime.tv_sec) * 1000000 + static_cast<uint64_t>(usage.ru_stime.tv_usec),
          static_cast<uint64_t>(usage.ru_nvcsw), static_cast<uint64_t>(usage.ru_nivcsw)};
}

uint64_t ChildrenCpuNs() {
  rusage usage;
  if (RawSyscall(SYS_getrusage, RUSAGE_CHILDREN, reinterpret_cast<long>(&usage)) != 0) return 0;
  const auto ns = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_usec) * 1000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

pid_t Tid() { return static_cast<pid_t>(RawSyscall(SYS_gettid)); }

uint64_t SetSignalMask(uint64_t mask) {
  uint64_t before = 0;
  RawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), reinterpret_cast<long>(&before),
             sizeof(mask));
  return before;
}

uint32_t ProcessorSet::size() const {
  uint32_t count = 0;
  for (const uint64_t word : words) count += static_cast<uint32_t>(__builtin_popcountll(word));
  return count;
}

ProcessorSet ProcessorsOf(pid_t tid) {
  ProcessorSet set{};
  RawSyscall(SYS_sched_getaffinity, tid, sizeof(set.words), reinterpret_cast<long>(set.words));
  return set;
}

uint64_t OwnSignalMask() {
  uint64_t mask = 0;
  RawSyscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&mask), sizeof(mask));
  return mask;
}

size_t ReadWholeFile(const char* path, char* out, size_t size) {
  const long fd = RawSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  size_t done = 0;
  while (done < size) {
    const long got = RawSyscall(SYS_read, fd, reinterpret_cast<long>(out + done), static_cast<long>(size - done));
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  RawSyscall(SYS_close, fd);
  return done;
}

void FutexWait(const void* word, uint32_t expected, uint64_t timeout_ns) {
  timespec timeout{static_cast<time_t>(timeout_ns / 1000000000ull), static_cast<long>(timeout_ns % 1000000000ull)};
  RawSyscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT_PRIVATE, expected,
             timeout_ns == 0 ? 0 : reinterpret_cast<long>(&timeout));
}

void FutexWake(const void* word) {
  RawSyscall(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAKE_PRIVATE, 0x7fffffff);
}

void AwaitThreadsEnd(pid_t process, pid_t tid, uint64_t patience_ns) {
  const uint64_t deadline = MonotonicNs() + patience_ns;
  const timespec moment{0, 20000};
  while (RawSyscall(SYS_tgkill, process, tid, 0) != -ESRCH && MonotonicNs() < deadline)
    RawSyscall(SYS_nanosleep, reinterpret_cast<long>(&moment));
}

namespace {
std::atomic<bool> name_process{false};
}  // namespace

void NameProcessInWarnings() { name_process.store(true, std::memory_order_relaxed); }

void Warn(const char* format, ...) {
  char line[1024];
  int length = snprintf(line, sizeof(line), "ompprof: ");
  if (name_process.load(std::memory_order_relaxed)) {
    length += snprintf(line + length, sizeof(line) - static_cast<size_t>(length),
                       "%.64s (process %d): ", program_invocation_short_name, getpid());
  }
  va_list arguments;
  va_start(arguments, format);
  const int room = static_cast<int>(sizeof(line)) - length - 1;
  const int wrote = vsnprintf(line + length, static_cast<size_t>(room), format, arguments);
  va_end(arguments);
  length += wrote < room ? wrote : room - 1;
  line[length++] = '\n';
  RawSyscall(SYS_write, 2, reinterpret_cast<long>(line), length);
}

void WarnOf(std::initializer_list<const char*> texts) {
  iovec parts[8];  // more than a sentence of ours has; further texts are left out
  size_t count = 0;
  const auto add = [&](const char* text) {
    if (count < sizeof(parts) / sizeof(parts[0])) parts[count++] = {const_cast<char*>(text), strlen(text)};
  };
  add("ompprof: ");
  for (const char* text : texts) add(text);
  add("\n");
  RawSyscall(SYS_writev, 2, reinterpret_cast<long>(parts), static_cast<long>(count));
}

}  // namespace ompprof::collect
