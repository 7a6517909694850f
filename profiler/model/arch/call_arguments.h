// The addresses that a call passes, read from the machine code before the call. A folder for each processor has the
// decoding.
#ifndef OMPPROF_PROFILER_MODEL_ARCH_CALL_ARGUMENTS_H_
#define OMPPROF_PROFILER_MODEL_ARCH_CALL_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/model/address_names.h"
#include "profiler/model/arch/function_code.h"

namespace ompprof::model {

// Whether the machine code of a file for `machine` (e_machine of its ELF header) can be decoded.
bool CanReadCode(uint16_t machine);

// The types of two relocations. With the first, the loader writes the address of a symbol into a slot. With the second,
// the loader adds its base to an address. 0: the type is not known for `machine`.
uint32_t SlotRelocation(uint16_t machine);
uint32_t RelativeRelocation(uint16_t machine);

// The call that ends at `call_end` passes an address to a runtime's entry point. Returns the entry of `names` with this
// address; empty if the code does not tell, or if `machine`'s code cannot be decoded.
std::string NameInCallArguments(uint16_t machine, const FunctionCode& code, uint64_t call_end,
                                const AddressNames& names);

// The function that is called, if a direct call ends at `call_end`; 0 otherwise.
uint64_t CalledFunction(uint16_t machine, const FunctionCode& code, uint64_t call_end);

// The function ends with a jump to a runtime's entry point (a tail call) that passes an address. Returns the entry of
// `names` with this address; empty if it is one of several, and the code does not tell which. Nothing if the function
// has none of these addresses.
std::optional<std::string> NameInJumpArguments(uint16_t machine, const FunctionCode& code, const AddressNames& names);

// All uses of the functions whose addresses are in `names`, by place. `code` may be many functions.
std::vector<FunctionUse> FunctionUses(uint16_t machine, const FunctionCode& code, const AddressNames& names);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ARCH_CALL_ARGUMENTS_H_
