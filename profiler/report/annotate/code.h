// The machine code of annotated functions, with the cost of each instruction. `ompprof annotate --asm` shows it.
#ifndef OMPPROF_PROFILER_REPORT_ANNOTATE_CODE_H_
#define OMPPROF_PROFILER_REPORT_ANNOTATE_CODE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/account/annotation.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/annotate/disassembly.h"

namespace ompprof::report {

struct FunctionCode {
  uint32_t object;                                  // Symbolizer::objects()
  uint64_t low;                                     // the first address, in the object's own addresses
  uint64_t high;                                    // the address after the last
  std::map<uint64_t, analyze::SpotCost> addresses;  // the costs by address, as in ObjectCode
  analyze::Cost self;                               // of all addresses
};

// The functions by own weight, descending. If an object cannot be read, each address counts as a function. `symbolizer`
// is the symbolizer that built the annotated view.
std::vector<FunctionCode> CodeByFunction(const analyze::Annotation& annotation, model::Symbolizer* symbolizer);

// Disassembles `code`, a function in `object`. `objdump` is the name or path of a program.
Disassembly Disassemble(const std::string& objdump, const model::Object& object, const FunctionCode& code);

// The costs of instructions, by index into `instructions`, the disassembly of `code`. Instructions without a cost are
// left out.
std::map<size_t, analyze::SpotCost> CostsByInstruction(const FunctionCode& code,
                                                       const std::vector<Instruction>& instructions);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_ANNOTATE_CODE_H_
