#include "runtime_shim/gomp/enter.h"

#include "runtime_shim/generations/generation.h"
#include "runtime_shim/gomp/bindings.h"
#include "runtime_shim/gomp/queries.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/ompt/activation.h"
#include "runtime_shim/ompt/entry_points.h"
#include "runtime_shim/ompt/runtime_queries.h"

namespace gomp_ompt {

namespace {

// While this is undecided: asks whether there is a tool. True if the runtime is libgomp and a tool is active.
bool IsTraced(const void* frame) {
  const Runtime runtime = KnownRuntime();
  // libomp stands in libgomp's place: the shim has no work.
  if (runtime == Runtime::kOther) SetMode(Mode::kOff);
  return runtime == Runtime::kGomp &&
         ActivateTool(CallerAddress(frame), {FindQueries, GenerationsToStart, LookupEntryPoint, IsLinked});
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
