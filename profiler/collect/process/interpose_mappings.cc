// The libc functions by which a program can make readable memory unreadable. Each wrapper reports to mapping_changes.h
// and calls the real function. Allocators call these functions before this library is initialized, and within dlsym.
// Until the real functions are found, the wrappers make the system call directly.
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "profiler/collect/arch/syscall_jump.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/paths/mapping_changes.h"
#include "profiler/collect/sampling/sleeping_call.h"

namespace ompprof::collect {
namespace {

// A change lasts as long as this object lives.
class ChangeScope {
 public:
  explicit ChangeScope(bool changes = true) : changes_(changes) {
    if (changes_) mapping_changes.Begin();
  }
  ~ChangeScope() {
    if (changes_) mapping_changes.End();
  }
  ChangeScope(const ChangeScope&) = delete;
  ChangeScope& operator=(const ChangeScope&) = delete;

 private:
  bool changes_;
};

template <typename Pointer>
long Number(Pointer* address) {
  return reinterpret_cast<long>(address);
}

void* MapAt(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  // Without MAP_FIXED, existing mappings do not change.
  const ChangeScope scope((flags & MAP_FIXED) != 0);
  if (real.mmap != nullptr) return real.mmap(address, size, protection, flags, fd, offset);
  return reinterpret_cast<void*>(
      AsLibc(RawSyscall(SYS_mmap, Number(address), static_cast<long>(size), protection, flags, fd, offset)));
}

}  // namespace

constexpr SystemCalls kChanging(kChangingCalls);
extern "C" __attribute__((used, visibility("hidden"))) const SystemCalls ompprof_changing_calls = kChanging;

// A system call by number that changes mappings (syscall_jump.h).
extern "C" __attribute__((used, visibility("hidden"))) long ompprof_changing_syscall(long number, long a, long b,
                                                                                     long c, long d, long e, long f) {
  const ChangeScope scope;
  return AsLibc(RawSyscall(number, a, b, c, d, e, f));
}

}  // namespace ompprof::collect

using namespace ompprof::collect;

OMPPROF_EXPORT void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  return MapAt(address, size, protection, flags, fd, offset);
}

OMPPROF_EXPORT void* mmap64(void* address, size_t size, int protection, int flags, int fd, off64_t offset) {
  return MapAt(address, size, protection, flags, fd, offset);
}

OMPPROF_EXPORT void* mremap(void* address, size_t size, size_t new_size, int flags, ...) {
  void* new_address = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list list;
    va_start(list, flags);
    new_address = va_arg(list, void*);
    va_end(list);
  }
  const ChangeScope scope;
  if (real.mremap != nullptr) return real.mremap(address, size, new_size, flags, new_address);
  return reinterpret_cast<void*>(AsLibc(RawSyscall(SYS_mremap, Number(address), static_cast<long>(size),
                                                   static_cast<long>(new_size), flags, Number(new_address))));
}

OMPPROF_EXPORT int munmap(void* address, size_t size) {
  const ChangeScope scope;
  if (real.munmap != nullptr) return real.munmap(address, size);
  return static_cast<int>(AsLibc(RawSyscall(SYS_munmap, Number(address), static_cast<long>(size))));
}

OMPPROF_EXPORT int mprotect(void* address, size_t size, int protection) {
  const ChangeScope scope;
  if (real.mprotect != nullptr) return real.mprotect(address, size, protection);
  return static_cast<int>(AsLibc(RawSyscall(SYS_mprotect, Number(address), static_cast<long>(size), protection)));
}

OMPPROF_EXPORT int pkey_mprotect(void* address, size_t size, int protection, int key) {
  const ChangeScope scope;
  if (real.pkey_mprotect != nullptr) return real.pkey_mprotect(address, size, protection, key);
  return static_cast<int>(
      AsLibc(RawSyscall(SYS_pkey_mprotect, Number(address), static_cast<long>(size), protection, key)));
}

OMPPROF_EXPORT int madvise(void* address, size_t size, int advice) {
  // Advice up to 25 leaves memory readable. MADV_HWPOISON (100) and MADV_GUARD_INSTALL (102) do not.
  const ChangeScope scope(advice >= 100);
  // MADV_POPULATE_READ, MADV_POPULATE_WRITE and MADV_COLLAPSE end at a signal.
  const SleepingCall sleeping(real.madvise, advice == 22 || advice == 23 || advice == 25);
  if (real.madvise != nullptr) return real.madvise(address, size, advice);
  return static_cast<int>(AsLibc(RawSyscall(SYS_madvise, Number(address), static_cast<long>(size), advice)));
}

OMPPROF_EXPORT void* shmat(int id, const void* address, int flags) {
  const ChangeScope scope((flags & SHM_REMAP) != 0);
  if (real.shmat != nullptr) return real.shmat(id, address, flags);
  return reinterpret_cast<void*>(AsLibc(RawSyscall(SYS_shmat, id, Number(address), flags)));
}

OMPPROF_EXPORT int shmdt(const void* address) {
  const ChangeScope scope;
  if (real.shmdt != nullptr) return real.shmdt(address);
  return static_cast<int>(AsLibc(RawSyscall(SYS_shmdt, Number(address))));
}
