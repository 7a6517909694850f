#include "profiler/collect/process/without_helper.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {

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
  const int helper = WriterTid();
  const Pause pause = PauseWriter();
  if (pause == Pause::kNothing) return false;
  if (pause == Pause::kImpossible) {
    session.helperless.store(true, std::memory_order_relaxed);
    ShutDownSession(call);
    AwaitThreadsEnd(session.pid, helper, 1000000000);
  }
  return true;
}

void StartHelperAfter(const char* call) {
  // After CLONE_NEWPID, the kernel gives a process no more threads. From then on, the work is in its children.
  if (session.helperless.load(std::memory_order_relaxed) || ResumeWriter()) return;
  session.helperless.store(true, std::memory_order_relaxed);
  ShutDownSession(call);
}

}  // namespace ompprof::collect
