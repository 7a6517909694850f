// parallel, and parallel combined with a worksharing construct.
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/region.h"

namespace gomp_ompt {
namespace {

using Outlined = void(void*);

constexpr int kInvokedByRuntime = ompt_parallel_invoker_runtime | static_cast<int>(ompt_parallel_team);

DECLARE_REAL(GOMP_parallel, void(Outlined*, void*, unsigned, unsigned));

}  // namespace

EXPORTED void GOMP_parallel(Outlined* function, void* argument, unsigned num_threads, unsigned flags) {
  if (!Tracing()) return REAL(GOMP_parallel)(function, argument, num_threads, flags);
  const uint32_t epoch = ToolEpoch();
  Parallel* region = BeginParallel(function, argument, num_threads, kInvokedByRuntime, CALLER());
  REAL(GOMP_parallel)(RunImplicitTask, region, num_threads, flags);
  if (ToolEpoch() == epoch) EndParallel(region);
}

}  // namespace gomp_ompt
