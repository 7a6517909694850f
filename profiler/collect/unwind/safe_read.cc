#include "profiler/collect/unwind/safe_read.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "profiler/collect/arch/system_call.h"

namespace ompprof::collect {
namespace {

constexpr uintptr_t kPage = 4096;

OMPPROF_NO_SANITIZE void PlainCopy(uintptr_t address, void* destination, size_t size) {
  auto* to = static_cast<volatile uint8_t*>(destination);  // volatile: must not become a call of an intercepted memcpy
  auto* from = reinterpret_cast<const volatile uint8_t*>(address);
  for (size_t i = 0; i < size; ++i) to[i] = from[i];
}

// Serves systems where a seccomp filter forbids process_vm_readv, as older container runtimes do. Between the check and
// the load, another thread could unmap the page. Without that system call, there is no better way.
bool ProbeAndCopy(uintptr_t address, void* destination, size_t size) {
  const uintptr_t last = (address + size - 1) & ~(kPage - 1);
  for (uintptr_t page = address & ~(kPage - 1); page <= last; page += kPage) {
    if (!IsReadable(page)) return false;
  }
  PlainCopy(address, destination, size);
  return true;
}

// Returns the system call's result: the number of copied bytes, or -errno.
long Copy(uintptr_t address, void* destination, size_t size) {
  struct iovec to = {destination, size};
  struct iovec from = {reinterpret_cast<void*>(address), size};
  // Asks for the calling thread's id on each call. After fork, a kept id would name the parent. The process id names a
  // task without memory once the main thread has left by pthread_exit.
  const long tid = arch::RawSyscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
  return arch::RawSyscall(SYS_process_vm_readv, tid, reinterpret_cast<long>(&to), 1, reinterpret_cast<long>(&from), 1,
                          0);
}

}  // namespace

// rt_sigprocmask copies the new mask in before it looks at `how`. So an impossible `how` gives EINVAL for readable
// memory and EFAULT for other memory, and changes nothing (the method of abseil's address_is_readable.cc).
bool IsReadable(uintptr_t address) {
  return arch::RawSyscall(SYS_rt_sigprocmask, ~0L, static_cast<long>(address), 0, 8, 0, 0) == -EINVAL;
}

bool SafeRead(uintptr_t address, void* destination, size_t size) {
  if (size == 0) return true;
  if (address + size < address) return false;
  const long copied = Copy(address, destination, size);
  if (copied == -EPERM || copied == -ENOSYS || copied == -EACCES) return ProbeAndCopy(address, destination, size);
  return copied == static_cast<long>(size);
}

bool SafeReadsAreAtomic() {
  uint8_t from = 0, to;
  return Copy(reinterpret_cast<uintptr_t>(&from), &to, 1) == 1;
}

size_t SafeReadSome(uintptr_t address, void* destination, size_t size) {
  if (SafeRead(address, destination, size)) return size;
  const uintptr_t to_page_end = kPage - address % kPage;
  return to_page_end < size && SafeRead(address, destination, to_page_end) ? to_page_end : 0;
}

}  // namespace ompprof::collect
