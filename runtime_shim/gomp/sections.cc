// sections. A section is dispatched by its number: gcc's code jumps to the section after the call. So the code address
// for OMPT is the address of the call, common to all sections of a construct.
#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/worksharing.h"

namespace gomp_ompt {
namespace {

DECLARE_REAL(GOMP_sections_start, unsigned(unsigned));
DECLARE_REAL(GOMP_sections2_start, unsigned(unsigned, uintptr_t*, void**));
DECLARE_REAL(GOMP_sections_next, unsigned());
DECLARE_REAL(GOMP_sections_end, void());
DECLARE_REAL(GOMP_sections_end_cancel, bool());
DECLARE_REAL(GOMP_sections_end_nowait, void());

void DispatchSection(Task* task, const Caller& caller) {
  ompt_data_t instance;
  instance.ptr = const_cast<void*>(caller.codeptr_ra);
  Dispatch(task, ompt_dispatch_section, instance);
}

// `next` fetches the number of the thread's next section, 0 if there is none.
template <class Next>
inline __attribute__((always_inline)) unsigned NextSection(const Caller& caller, Next next) {
  InRuntime in_runtime(caller);
  InState overhead(ompt_state_overhead);
  const unsigned section = next();
  if (section != 0) DispatchSection(this_thread.current, caller);
  return section;
}

template <class Start>
inline __attribute__((always_inline)) unsigned StartSections(unsigned count, const Caller& caller, Start start) {
  return NextSection(caller, [&] {
    BeginWork(this_thread.current, CountedWork(ompt_work_sections, count, caller.codeptr_ra));
    return start();
  });
}

}  // namespace

EXPORTED unsigned GOMP_sections_start(unsigned count) {
  if (!Tracing()) return REAL(GOMP_sections_start)(count);
  return StartSections(count, CALLER(), [&] { return REAL(GOMP_sections_start)(count); });
}

EXPORTED unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  if (!Tracing()) return REAL(GOMP_sections2_start)(count, reductions, memory);
  if (reductions != nullptr) NeedTeam(this_thread.current);
  return StartSections(count, CALLER(), [&] { return REAL(GOMP_sections2_start)(count, reductions, memory); });
}

EXPORTED unsigned GOMP_sections_next() {
  if (!Tracing()) return REAL(GOMP_sections_next)();
  return NextSection(CALLER(), [] { return REAL(GOMP_sections_next)(); });
}

EXPORTED void GOMP_sections_end() {
  if (!Tracing()) return REAL(GOMP_sections_end)();
  EndWithBarrier(CALLER(), [] { REAL(GOMP_sections_end)(); });
}

EXPORTED bool GOMP_sections_end_cancel() {
  if (!Tracing()) return REAL(GOMP_sections_end_cancel)();
  return EndWithCancelBarrier(CALLER(), [] { return REAL(GOMP_sections_end_cancel)(); });
}

EXPORTED void GOMP_sections_end_nowait() {
  if (!Tracing()) return REAL(GOMP_sections_end_nowait)();
  EndWithoutBarrier(CALLER(), [] { REAL(GOMP_sections_end_nowait)(); });
}

}  // namespace gomp_ompt
