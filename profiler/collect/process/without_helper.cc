#include "profiler/collect/process/without_helper.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>

#include <atomic>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {
namespace {

std::atomic<uint32_t> places_given{0};

constexpr uint64_t kPatienceNs = 20ull * 1000000000ull;

}  // namespace

bool TakeHelper() {
  const uint64_t deadline = MonotonicNs() + kPatienceNs;
  while (session.stopping_helper.exchange(1, std::memory_order_acquire) != 0) {
    if (MonotonicNs() > deadline) return false;
    FutexWait(&session.stopping_helper, 1, 10000000);
  }
  return true;
}

void LeaveHelper() {
  session.stopping_helper.store(0, std::memory_order_release);
  FutexWake(&session.stopping_helper);
}

bool HelperHasOtherRights() {
  const int helper = WriterTid();
  if (helper == 0) return false;
  if (session.ids_apart.load(std::memory_order_relaxed)) return true;
  __user_cap_data_struct rights[2][_LINUX_CAPABILITY_U32S_3] = {};
  for (int thread = 0; thread < 2; ++thread) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, thread == 0 ? 0 : helper};
    if (RawSyscall(SYS_capget, reinterpret_cast<long>(&header), reinterpret_cast<long>(rights[thread])) != 0)
      return true;
  }
  return memcmp(rights[0], rights[1], sizeof(rights[0])) != 0;
}

bool StopHelperBefore(const char* call) {
  if (!TakeHelper()) return false;
  const int helper = WriterTid();
  const Pause pause = PauseWriter();
  if (pause == Pause::kNothing) {
    LeaveHelper();
    return false;
  }
  if (pause == Pause::kImpossible) {
    session.helperless.store(true, std::memory_order_relaxed);
    ShutDownSession(call);
    AwaitThreadsEnd(session.pid, helper, 1000000000);
  }
  return true;
}

void StartHelperAfter(const char* call) {
  // After CLONE_NEWPID, the kernel gives a process no more threads. From then on, the work is in its children.
  if (!session.helperless.load(std::memory_order_relaxed) && !ResumeWriter()) {
    session.helperless.store(true, std::memory_order_relaxed);
    ShutDownSession(call);
  }
  LeaveHelper();
}

uint32_t PlacesGiven() { return places_given.load(std::memory_order_acquire); }

bool GivePlace(uint32_t before) {
  if (!InSession()) return false;
  const OwnWork own_work;
  const uint64_t mask = SetSignalMask(kAllSignals);  // a signal handler of the program may fork
  if (TakeHelper()) {
    if (places_given.load(std::memory_order_relaxed) == before && EndHelper(/*is_needed=*/true)) {
      places_given.fetch_add(1, std::memory_order_release);
      TicksEnd();
      if (session.delayed.load(std::memory_order_relaxed) && !CanDelay()) SetCollecting(true);
    }
    LeaveHelper();
  }
  SetSignalMask(mask);
  return places_given.load(std::memory_order_relaxed) != before;
}

void GivePlaceBefore() {
  if (!InSession() || WriterTid() == 0 || RawSyscall(SYS_geteuid) == 0 || !HasFewPlaces()) return;
  const OwnWork own_work;
  const uint64_t mask = SetSignalMask(kAllSignals);
  if (TakeHelper()) {
    if (EndHelper(/*is_needed=*/false)) TicksEnd();
    LeaveHelper();
  }
  SetSignalMask(mask);
}

void AwaitPlace() {
  constexpr uint64_t kMomentNs = 5000000;
  static const uint32_t nothing = 0;
  FutexWait(&nothing, 0, kMomentNs);
}

}  // namespace ompprof::collect
