// The functions of arch/call_arguments.h for x86-64.
#ifndef OMPPROF_PROFILER_MODEL_ARCH_X86_64_CALL_ARGUMENTS_H_
#define OMPPROF_PROFILER_MODEL_ARCH_X86_64_CALL_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/model/address_names.h"
#include "profiler/model/arch/function_code.h"

namespace ompprof::model::x86_64 {

// `call_end` is an address within `code`, or its end.
std::string NameInCallArguments(const FunctionCode& code, uint64_t call_end, const AddressNames& names);
uint64_t CalledFunction(const FunctionCode& code, uint64_t call_end);

std::optional<std::string> NameInJumpArguments(const FunctionCode& code, const AddressNames& names);

void FindFunctionUses(const FunctionCode& code, const AddressNames& names, std::vector<FunctionUse>* uses);

}  // namespace ompprof::model::x86_64

#endif  // OMPPROF_PROFILER_MODEL_ARCH_X86_64_CALL_ARGUMENTS_H_
