// parallel, and parallel combined with a worksharing construct, as gcc has called them since 4.9. libgomp runs the
// outlined function on every thread of the team, including the encountering thread.
#include "runtime_shim/gomp/order.h"
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/region.h"
#include "runtime_shim/gomp/taskgroup.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

using Outlined = void(void*);

constexpr int kInvokedByRuntime = ompt_parallel_invoker_runtime | static_cast<int>(ompt_parallel_team);

DECLARE_REAL(GOMP_parallel, void(Outlined*, void*, unsigned, unsigned));
DECLARE_REAL(GOMP_parallel_reductions, unsigned(Outlined*, void*, unsigned, unsigned));
DECLARE_REAL(GOMP_parallel_sections, void(Outlined*, void*, unsigned, unsigned, unsigned));

// A region whose threads begin `work` at once. `run` hands the region to libgomp.
template <class Run>
inline __attribute__((always_inline)) void RunCombined(Outlined* function, void* argument, unsigned num_threads,
                                                       const Work& work, const Caller& caller, Run run) {
  const uint32_t epoch = ToolEpoch();
  Parallel* region = BeginParallel(function, argument, num_threads, kInvokedByRuntime, caller, &work);
  run(region);
  if (ToolEpoch() == epoch) EndParallel(region);
}

// libgomp reads the outlined function's argument here. It begins with a pointer to libgomp's data about the reductions.
struct ReductionsArgument {
  void* reductions;
  void* packed_region;
};

void RunReductionsTask(void* argument) {
  Receive(argument);
  RunImplicitTaskIn(__builtin_frame_address(0), static_cast<ReductionsArgument*>(argument)->packed_region);
}

}  // namespace

EXPORTED void GOMP_parallel(Outlined* function, void* argument, unsigned num_threads, unsigned flags) {
  if (!Tracing()) return REAL(GOMP_parallel)(function, argument, num_threads, flags);
  const uint32_t epoch = ToolEpoch();
  Parallel* region = BeginParallel(function, argument, num_threads, kInvokedByRuntime, CALLER());
  REAL(GOMP_parallel)(RunImplicitTask, PackRegion(region), num_threads, flags);
  if (ToolEpoch() == epoch) EndParallel(region);
}

EXPORTED unsigned GOMP_parallel_reductions(Outlined* function, void* argument, unsigned num_threads, unsigned flags) {
  if (!Tracing()) return REAL(GOMP_parallel_reductions)(function, argument, num_threads, flags);
  const uint32_t epoch = ToolEpoch();
  const Caller caller = CALLER();
  Parallel* region = BeginParallel(function, argument, num_threads, kInvokedByRuntime, caller);
  ReductionsArgument with_region = {*static_cast<void**>(argument), PackRegion(region)};
  Publish(&with_region);
  const unsigned team_size = REAL(GOMP_parallel_reductions)(RunReductionsTask, &with_region, num_threads, flags);
  if (ToolEpoch() != epoch) return team_size;
  EndParallel(region);
  BeginReduction(caller);
  return team_size;
}

EXPORTED void GOMP_parallel_sections(Outlined* function, void* argument, unsigned num_threads, unsigned count,
                                     unsigned flags) {
  if (!Tracing()) return REAL(GOMP_parallel_sections)(function, argument, num_threads, count, flags);
  const Caller caller = CALLER();
  RunCombined(function, argument, num_threads, CountedWork(ompt_work_sections, count, caller.codeptr_ra), caller,
              [&](Parallel* region) {
                REAL(GOMP_parallel_sections)(RunImplicitTask, PackRegion(region), num_threads, count, flags);
              });
}

#define PARALLEL_LOOP(name)                                                                                          \
  DECLARE_REAL(name, void(Outlined*, void*, unsigned, long, long, long, long, unsigned));                            \
  EXPORTED void name(Outlined* function, void* argument, unsigned num_threads, long start, long end, long increment, \
                     long chunk, unsigned flags) {                                                                   \
    if (!Tracing()) return REAL(name)(function, argument, num_threads, start, end, increment, chunk, flags);         \
    const Caller caller = CALLER();                                                                                  \
    RunCombined(function, argument, num_threads, LongLoopWork(start, end, increment, caller.codeptr_ra), caller,     \
                [&](Parallel* region) {                                                                              \
                  REAL(name)(RunImplicitTask, PackRegion(region), num_threads, start, end, increment, chunk, flags); \
                });                                                                                                  \
  }

#define PARALLEL_LOOP_RUNTIME(name)                                                                                  \
  DECLARE_REAL(name, void(Outlined*, void*, unsigned, long, long, long, unsigned));                                  \
  EXPORTED void name(Outlined* function, void* argument, unsigned num_threads, long start, long end, long increment, \
                     unsigned flags) {                                                                               \
    if (!Tracing()) return REAL(name)(function, argument, num_threads, start, end, increment, flags);                \
    const Caller caller = CALLER();                                                                                  \
    RunCombined(function, argument, num_threads, LongLoopWork(start, end, increment, caller.codeptr_ra), caller,     \
                [&](Parallel* region) {                                                                              \
                  REAL(name)(RunImplicitTask, PackRegion(region), num_threads, start, end, increment, flags);        \
                });                                                                                                  \
  }

PARALLEL_LOOP(GOMP_parallel_loop_static)
PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_guided)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
PARALLEL_LOOP_RUNTIME(GOMP_parallel_loop_runtime)
PARALLEL_LOOP_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_LOOP_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

}  // namespace gomp_ompt
