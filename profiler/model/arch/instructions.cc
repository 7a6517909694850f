#include "profiler/model/arch/instructions.h"

#include <elf.h>

#include "profiler/model/arch/x86_64/instructions.h"

namespace ompprof::model {
namespace {

// Instructions have no fixed length, so each look begins where the function begins. Longer stretches without the
// beginning of a function are most likely several functions of stripped code.
constexpr uint64_t kFarthest = 1 << 20;

}  // namespace

bool IsAtAtomic(uint16_t machine, const FunctionCode& code, uint64_t address) {
  if (machine != EM_X86_64 || address < code.begin) return false;
  const uint64_t wanted = address - code.begin;
  if (wanted > kFarthest) return false;
  for (size_t at = 0; at <= wanted && at < code.size;) {
    const x86_64::Instruction instruction = x86_64::Decode(code.bytes + at, code.size - at);
    if (instruction.length == 0) return false;
    if (instruction.atomic && (at == wanted || at + instruction.length == wanted)) return true;
    at += instruction.length;
  }
  return false;
}

}  // namespace ompprof::model
