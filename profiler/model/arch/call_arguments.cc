#include "profiler/model/arch/call_arguments.h"

#include <elf.h>

#include "profiler/model/arch/x86_64/call_arguments.h"

namespace ompprof::model {

bool CanReadCode(uint16_t machine) { return machine == EM_X86_64; }

uint32_t SlotRelocation(uint16_t machine) { return machine == EM_X86_64 ? R_X86_64_GLOB_DAT : 0; }

uint32_t RelativeRelocation(uint16_t machine) { return machine == EM_X86_64 ? R_X86_64_RELATIVE : 0; }

std::string NameInCallArguments(uint16_t machine, const FunctionCode& code, uint64_t call_end,
                                const AddressNames& names) {
  const bool within = call_end > code.begin && call_end - code.begin <= code.size;
  if (names.empty() || !within || !CanReadCode(machine)) return "";
  return x86_64::NameInCallArguments(code, call_end, names);
}

uint64_t CalledFunction(uint16_t machine, const FunctionCode& code, uint64_t call_end) {
  const bool within = call_end > code.begin && call_end - code.begin <= code.size;
  return within && CanReadCode(machine) ? x86_64::CalledFunction(code, call_end) : 0;
}

std::optional<std::string> NameInJumpArguments(uint16_t machine, const FunctionCode& code, const AddressNames& names) {
  if (names.empty() || !CanReadCode(machine)) return std::nullopt;
  return x86_64::NameInJumpArguments(code, names);
}

std::vector<FunctionUse> FunctionUses(uint16_t machine, const FunctionCode& code, const AddressNames& names) {
  std::vector<FunctionUse> uses;
  if (!names.empty() && CanReadCode(machine)) x86_64::FindFunctionUses(code, names, &uses);
  return uses;
}

}  // namespace ompprof::model
