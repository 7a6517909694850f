#include "profiler/collect/sampling/interrupted_call.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "profiler/collect/arch/code.h"
#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {

bool LooksLikeFutex(const ucontext_t& context) {
  constexpr int kLockPi2 = 13;  // FUTEX_LOCK_PI2, of Linux 5.14: older headers lack it
  constexpr uintptr_t kWaits =
      1u << FUTEX_WAIT | 1u << FUTEX_WAIT_BITSET | 1u << FUTEX_LOCK_PI | 1u << FUTEX_WAIT_REQUEUE_PI | 1u << kLockPi2;
  const uintptr_t operation =
      arch::SystemCallSecondArgument(context) & ~uintptr_t{FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME};
  return operation < 32 && (kWaits >> operation & 1) != 0;
}

Call InterruptedCall(const ucontext_t& context) {
  const uintptr_t pc = arch::ContextRegister(context, arch::kReturnAddress);
  uint8_t code[sizeof(arch::kYieldCall)];
  if (SafeRead(pc, code, arch::kSystemCallBytes) && arch::IsSystemCall(code)) return Call::kGoesOn;
  if (!SafeRead(pc - sizeof(code), code, sizeof(code)) ||
      !arch::IsSystemCall(code + sizeof(code) - arch::kSystemCallBytes))
    return Call::kNone;
  const long result = arch::SystemCallResult(context);
  if (result == -EINTR) return Call::kFailed;
  if (result == 0 && LooksLikeFutex(context) && (arch::SystemCallSecondArgument(context) & FUTEX_PRIVATE_FLAG) != 0)
    return Call::kWoken;
  return memcmp(code, arch::kYieldCall, sizeof(code)) == 0 ? Call::kYielded : Call::kNone;
}

bool GoesOnWithFutex(const ucontext_t& context) {
  const long number = arch::SystemCallResult(context);
  return (number == SYS_futex || number == SYS_restart_syscall) && LooksLikeFutex(context);
}

}  // namespace ompprof::collect
