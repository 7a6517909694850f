// omp_control_tool and ompt_control, which libgomp does not have (OpenMP 5.1 section 3.14, TR2 section 7): the program
// speaks to the tool.
#include <dlfcn.h>

#include "runtime_shim/gomp/enter.h"

namespace gomp_ompt {
namespace {

// omp_control_tool_result_t, which gcc's omp.h does not declare. All other answers come from the tool.
constexpr int kNoTool = -2;
constexpr int kNoCallback = -1;

int Control(uint64_t command, uint64_t modifier, void* argument, const Caller& caller) {
  auto* callback = OMPT_CALLBACK(control_tool);
  if (callback == nullptr) return kNoCallback;
  InRuntime in_runtime(caller);
  return callback(command, modifier, argument, caller.codeptr_ra);
}

int ControlTool(int command, int modifier, void* argument, const Caller& caller) {
  return Control(static_cast<uint64_t>(command), static_cast<uint64_t>(modifier), argument, caller);
}

// Another runtime's own routine (libomp's), for a caller outside libgomp's programs.
template <class Function>
Function* OfOtherRuntime(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

EXPORTED int omp_control_tool(int command, int modifier, void* argument) {
  if (Tracing()) return ControlTool(command, modifier, argument, CALLER());
  auto* other = OfOtherRuntime<int(int, int, void*)>("omp_control_tool");
  return other != nullptr ? other(command, modifier, argument) : kNoTool;
}

// Fortran's routine has no third argument. The answer is sign-extended: with -fdefault-integer-8, the program reads all
// of the answer. The values of its arguments are then in their lower halves.
EXPORTED int64_t omp_control_tool_(const int* command, const int* modifier) {
  if (Tracing()) return ControlTool(*command, *modifier, nullptr, CALLER());
  auto* other = OfOtherRuntime<int(const int*, const int*)>("omp_control_tool_");
  return other != nullptr ? other(command, modifier) : kNoTool;
}

// The routine of OMPT's first generation (TR2, section 7), with the same commands.
EXPORTED void ompt_control(uint64_t command, uint64_t modifier) {
  if (Tracing()) {
    Control(command, modifier, nullptr, CALLER());
  } else if (auto* other = OfOtherRuntime<void(uint64_t, uint64_t)>("ompt_control")) {
    other(command, modifier);
  }
}

EXPORTED void ompt_control_(const uint64_t* command, const uint64_t* modifier) {
  if (Tracing()) {
    Control(*command, *modifier, nullptr, CALLER());
  } else if (auto* other = OfOtherRuntime<void(const uint64_t*, const uint64_t*)>("ompt_control_")) {
    other(command, modifier);
  }
}

}  // namespace gomp_ompt
