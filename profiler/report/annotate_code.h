// The machine code of annotated functions, with what its instructions cost. `ompprof annotate --asm` shows it.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_CODE_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_CODE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/annotation.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/annotate_disassembly.h"

namespace ompprof::report {

struct FunctionCode {
  uint32_t object;                                  // Symbolizer::objects()
  uint64_t low;                                     // first address, in the object's own addresses
  uint64_t high;                                    // after the last
  std::map<uint64_t, analyze::SpotCost> addresses;  // as ObjectCode has them
  analyze::Cost self;                               // of all of them
};

// By own weight, descending. Where an object cannot be read, each address is a function by itself. `symbolizer` is the
// one that the annotated view was built with.
std::vector<FunctionCode> CodeByFunction(const analyze::Annotation& annotation, model::Symbolizer* symbolizer);

// Of `code`, which is in `object`, by `objdump`, a program's name or path.
Disassembly Disassemble(const std::string& objdump, const model::Object& object, const FunctionCode& code);

// What instructions cost, by their place in `instructions`, a disassembly of `code`; those that cost nothing are left
// out.
std::map<size_t, analyze::SpotCost> CostsByInstruction(const FunctionCode& code,
                                                       const std::vector<Instruction>& instructions);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_CODE_H_
