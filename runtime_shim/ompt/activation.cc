#include "runtime_shim/ompt/activation.h"

#include <dlfcn.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime_shim/ompt/callbacks.h"
#include "runtime_shim/ompt/entry_points.h"
#include "runtime_shim/ompt/thread.h"

namespace gomp_ompt {

std::atomic<Mode> tool_mode{Mode::kUndecided};

namespace {

// OMPT of OpenMP 5.1, as _OPENMP of that version spells it.
constexpr unsigned kOmpVersion = 202011;
constexpr char kRuntimeVersion[] = "libgomp_ompt 1.0 over GCC libgomp";

std::atomic<uint32_t> epoch{0};
std::atomic<bool> deciding{false};
ompt_start_tool_result_t* tool = nullptr;

using StartTool = ompt_start_tool_result_t* (*)(unsigned, const char*);

void AtExit() { FinalizeTool(); }

void InForkedChild() {
  ForgetCallbacks();
  tool = nullptr;
  deciding.store(false);
  FreeList<Task>::UnlockAfterFork();
  FreeList<Parallel>::UnlockAfterFork();
  FreeList<Target>::UnlockAfterFork();
  tool_mode.store(Mode::kUndecided);
}

}  // namespace

uint32_t ToolEpoch() { return epoch.load(std::memory_order_relaxed); }

bool ActivateTool(Mode active) {
  if (deciding.exchange(true)) return tool_mode.load() == active;
  static bool registered = false;
  if (!registered) {
    registered = true;
    pthread_atfork(nullptr, nullptr, InForkedChild);
  }
  auto start = reinterpret_cast<StartTool>(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
  if (start != nullptr) tool = start(kOmpVersion, kRuntimeVersion);
  if (tool == nullptr || tool->initialize == nullptr) {
    tool_mode.store(Mode::kOff);
    return false;
  }
  epoch.fetch_add(1);
  if (tool->initialize(LookupEntryPoint, -1, &tool->tool_data) == 0) {
    ForgetCallbacks();
    tool = nullptr;
    tool_mode.store(Mode::kOff);
    return false;
  }
  atexit(AtExit);
  tool_mode.store(active);
  return true;
}

void FinalizeTool() {
  ompt_start_tool_result_t* ending = tool;
  if (ending == nullptr) return;
  tool = nullptr;
  if (this_thread.kind != 0) EndThread(this_thread);
  tool_mode.store(Mode::kOff);
  ForgetCallbacks();
  if (ending->finalize != nullptr) ending->finalize(&ending->tool_data);
}

}  // namespace gomp_ompt
