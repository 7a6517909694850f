#include "profiler/collect/quirks/libomp.h"

#include <stdlib.h>
#include <string.h>

namespace ompprof::collect::libomp {

void MendLevels(TaskLevel* levels, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    TaskLevel& level = levels[i];
    if (level.exit_frame == 0 || level.enter_frame <= level.exit_frame) continue;
    TaskLevel* inner = i > 0 ? &levels[i - 1] : nullptr;
    if (inner != nullptr && inner->exit_frame == 0 && inner->enter_frame == 0 && IsImplicit(*inner) &&
        IsImplicit(level)) {
      inner->exit_frame = level.exit_frame;
      inner->exit_flags = level.exit_flags;
      level.exit_frame = 0;
    } else {
      level.enter_frame = 0;
    }
  }
}

bool IsSizeOfHelpersTeam(unsigned int requested) {
  constexpr unsigned int kDefault = 8;  // openmp/runtime/src/kmp_global.cpp, __kmp_hidden_helper_threads_num
  const char* number = getenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS");
  if (number == nullptr) return requested == kDefault;
  const auto wanted = static_cast<unsigned int>(atoi(number));
  return requested == wanted || requested == wanted + 1;  // an additional thread only waits
}

bool MustNotBeAskedForNumbers(const char* version) {
  return strncmp(version, "LLVM OMP", 8) == 0 || strncmp(version, "Intel(R) OMP", 12) == 0;
}

bool HasArcher(const char* version) { return version != nullptr && strncmp(version, "LLVM", 4) == 0; }

}  // namespace ompprof::collect::libomp
