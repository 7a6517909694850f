#include "profiler/collect/process/program_tool.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/collect/base/notes.h"
#include "profiler/collect/process/environment.h"
#include "profiler/collect/process/process_facts.h"
#include "profiler/collect/quirks/runtime_names.h"

namespace ompprof::collect {

bool LeavesToProgramsTool(unsigned int omp_version, const char* runtime_version, ompt_start_tool_result_t** answer) {
  if (runtime_version != nullptr && RuntimeOfVersion(runtime_version) == Runtime::kShim) return false;
  // The last definition is the default of LLVM's runtime, which declines.
  using StartTool = ompt_start_tool_result_t*(unsigned int, const char*);
  auto* const next = reinterpret_cast<StartTool*>(dlsym(RTLD_NEXT, "ompt_start_tool"));
  *answer = next != nullptr ? next(omp_version, runtime_version) : nullptr;
  if (*answer != nullptr) {
    Dl_info tool;
    const bool is_known = dladdr(reinterpret_cast<void*>((*answer)->initialize), &tool) != 0;
    NoteProgramsTool(is_known ? tool.dli_fname : "an unknown file");
    return true;
  }
  // A library of this list may be one that only the runtime finds.
  const char* const libraries = getenv("OMP_TOOL_LIBRARIES");
  if (libraries == nullptr || libraries[strspn(libraries, ":")] == '\0' || ListNamesUs(libraries)) return false;
  AddNote(
      "there are no states and no regions: OMP_TOOL_LIBRARIES in the program's environment names another OMPT tool, "
      "and an OpenMP runtime starts one tool only");
  return true;
}

}  // namespace ompprof::collect
