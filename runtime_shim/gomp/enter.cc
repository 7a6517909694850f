#include "runtime_shim/gomp/enter.h"

#include "runtime_shim/generations/generation.h"
#include "runtime_shim/gomp/queries.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/activation.h"
#include "runtime_shim/ompt/entry_points.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {

namespace {

// While this is undecided, or if each library has its own runtime: asks whether there is a tool. True if the caller's
// runtime is libgomp and a tool is active.
bool IsTraced(const void* frame) {
  bool for_all = false;
  const void* caller = CallerAddress(frame);
  const Runtime runtime = RuntimeOf(caller, &for_all);
  if (runtime != Runtime::kGomp) {
    // libomp stands in libgomp's place for all callers: the shim has no work.
    if (for_all && runtime == Runtime::kOther) SetMode(Mode::kOff);
    return false;
  }
  if (tool_mode.load(std::memory_order_acquire) == Mode::kOnByCaller) return true;
  return ActivateTool(for_all ? Mode::kOn : Mode::kOnByCaller, caller,
                      {FindQueries, GenerationsToStart, LookupEntryPoint});
}

}  // namespace

bool TracingNewcomer(const void* frame) {
  const auto is_device_thread = runtime_queries.is_device_thread.load(std::memory_order_acquire);
  if (is_device_thread != nullptr && is_device_thread()) return false;
  const Mode mode = tool_mode.load(std::memory_order_acquire);  // acquire: sees another thread's activation too
  if (mode != Mode::kOn && !IsTraced(frame)) return false;
  Thread& thread = this_thread;
  if (thread.epoch != ToolEpoch() || thread.kind == 0) BeginThread(thread, ompt_thread_initial);
  return true;
}

}  // namespace gomp_ompt
