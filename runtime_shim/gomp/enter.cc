#include "runtime_shim/gomp/enter.h"

#include "runtime_shim/gomp/queries.h"
#include "runtime_shim/gomp/real.h"

namespace gomp_ompt {

bool TracingCaller(const void* frame) {
  bool for_all = false;
  const void* caller = CallerAddress(frame);
  const Runtime runtime = RuntimeOf(caller, &for_all);
  if (runtime != Runtime::kGomp) {
    // libomp in libgomp's place, for everyone: there is nothing to do here.
    if (for_all && runtime == Runtime::kOther) tool_mode.store(Mode::kOff);
    return false;
  }
  if (tool_mode.load(std::memory_order_acquire) == Mode::kOnByCaller) return true;
  return ActivateTool(for_all ? Mode::kOn : Mode::kOnByCaller, caller, FindQueries);
}

}  // namespace gomp_ompt
