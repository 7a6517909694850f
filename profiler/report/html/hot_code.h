// The machine code of the hottest functions, with the cost of each instruction, for the page's view of assembly. The
// numbers are those of `ompprof annotate --asm`. A page holds few functions and a bounded number of instructions of
// each, so that it stays small and is quickly made: each function costs one run of objdump.
#ifndef OMPPROF_PROFILER_REPORT_HTML_HOT_CODE_H_
#define OMPPROF_PROFILER_REPORT_HTML_HOT_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/annotate/disassembly.h"

namespace ompprof::report {

struct HotInstruction {
  uint64_t address;
  std::string text;  // empty: the code cannot be read
  std::string file;  // of the innermost function at the address; empty: not known
  uint32_t line;
  uint64_t left_out;       // instructions without a noticeable cost that were left out just before this one
  analyze::SpotCost cost;  // all 0: none
};

struct HotFunction {
  std::string name;     // as reports show it: of the construct, if the code is a construct's
  std::string symbol;   // the compiler's name: ".omp_outlined..20"
  std::string module;   // path of the file that holds the code
  std::string problem;  // a sentence, if the code cannot be read
  analyze::Cost self;
  std::vector<HotInstruction> instructions;  // by address
  uint64_t left_out = 0;                     // instructions left out in all
};

// Limits of a page.
inline constexpr size_t kHotFunctions = 16;
inline constexpr size_t kHotInstructions = 400;  // of each function

// The instructions to show of a function: all, if there are at most `most`; else those with the largest costs, and
// their neighbours. `costs`: own weights by index of the instruction. Returns indices in ascending order.
std::vector<size_t> ShownInstructions(size_t count, const std::vector<std::pair<uint64_t, size_t>>& costs, size_t most);

// The functions by own weight, descending. Functions with less than 0.5 % of the weight are left out. `symbolizer`
// built `view`. `objdump` is the name or path of a program; empty: reads no code and returns nothing.
std::vector<HotFunction> HotCode(const analyze::View& view, model::Symbolizer* symbolizer, const std::string& objdump);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_HOT_CODE_H_
