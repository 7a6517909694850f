#include "profiler/collect/process/preload.h"

#include <errno.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdlib.h>

#include <atomic>

#include "profiler/collect/base/exported.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/base/os.h"
#include "profiler/collect/base/own_work.h"
#include "profiler/collect/base/real_functions.h"
#include "profiler/collect/base/seal.h"
#include "profiler/collect/ompt/callbacks.h"
#include "profiler/collect/ompt/tool.h"
#include "profiler/collect/process/control.h"
#include "profiler/collect/process/environment.h"
#include "profiler/collect/process/executed_program.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/process/process_facts.h"
#include "profiler/collect/process/program_tool.h"
#include "profiler/collect/quirks/libomp.h"
#include "profiler/collect/sampling/sleeping_call.h"
#include "profiler/collect/thread/session.h"
#include "scripts/bazel/libc_floor/library.h"

extern "C" __attribute__((weak)) void __tsan_init();  // of ThreadSanitizer's runtime

namespace ompprof::collect {
namespace {

// C++ allows quick_exit in a signal handler, and nothing is unloaded after quick_exit.
void AtQuickExit() { ShutDownSession("quick_exit", /*at_once=*/true); }

void Start() {
  static std::atomic<bool> begun;
  if (begun.load(std::memory_order_relaxed) || begun.exchange(true)) return;
  BindCallsToLibc();
  RememberOwnFile();
  if (IsSealed()) return;         // a library's constructor sealed the process
  const int saved_errno = errno;  // the program may be in pthread_create
  const OwnWork own_work;
  FindRealFunctions();
  FindLibcFunctions();
  control_command = Control;
  if (StartSession()) {
    pthread_atfork(LeaveWaitMask, nullptr, RestartSessionInChild);
    at_quick_exit(AtQuickExit);
    TellOfOwnEnvironments();
  }
  errno = saved_errno;
}

__attribute__((constructor)) void Load() { Start(); }

__attribute__((destructor)) void Unload() { ShutDownSession("exit"); }

}  // namespace

void StartOnce() {
  // Code of an executable that runs even before libc's constructor (.preinit_array, as in sanitizers) must wait for
  // ours.
  if (program_invocation_short_name == nullptr || *program_invocation_short_name == '\0') return;
  Start();
}

}  // namespace ompprof::collect

OMPPROF_EXPORT ompt_start_tool_result_t* ompt_start_tool(unsigned int omp_version, const char* runtime_version) {
  using namespace ompprof::collect;
  StartOnce();
  ompt_start_tool_result_t* programs = nullptr;
  if (LeavesToProgramsTool(omp_version, runtime_version, &programs)) return programs;
  if (libomp::HasArcher(runtime_version) && __tsan_init != nullptr && session.preloaded &&
      session.active.load(std::memory_order_acquire)) {
    static constexpr char kText[] =
        "the program is built with -fsanitize=thread, and the OpenMP runtime uses its own OMPT tool for such programs "
        "(Archer). The profile has plain machine stacks, no regions and no states";
    Warn("%s", kText);
    AddNote("%s", kText);
    return nullptr;
  }
  return StartTool(omp_version, runtime_version);
}

// For the shim, which has started a tool of the program's in this file (runtime_shim/ompt/tool_search.h).
OMPPROF_EXPORT void gomp_ompt_started_other_tool(const char* file) {
  ompprof::collect::StartOnce();
  ompprof::collect::NoteProgramsTool(file);
}

// For the library with the older generations' symbols (ompt/older_symbols.cc). Without `lookup`, whether there is a
// session.
OMPPROF_EXPORT int ompprof_start_older_tool(bool draft, ompt_function_lookup_t lookup, const char* runtime_version) {
  using namespace ompprof::collect;
  StartOnce();
  if (lookup == nullptr) return session.active.load(std::memory_order_acquire) ? 1 : 0;
  return StartOlderTool(draft ? Generation::kDraft : Generation::kTr2, lookup, runtime_version);
}
