// The code that takes most CPU time, in the program's own terms: time in a language's library counts for the function
// that called it. First screens show it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_HOTTEST_CODE_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_HOTTEST_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"

namespace ompprof::analyze {

struct HotCode {
  FunctionId function = kNoFunction;  // the program's, or a made-up frame; kNoFunction: only the library is known
  std::string library_call;           // "printf": the library's function that `function` called; empty: its own code
  uint64_t weight = 0;
};

// By weight, descending. Waiting and ompprof's own time are left out.
std::vector<HotCode> HottestCode(const View& view);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_HOTTEST_CODE_H_
