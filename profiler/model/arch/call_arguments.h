// The addresses that a call passes, read from the machine code before it. A folder for each processor has the decoding.
#ifndef OMPPROF_PROFILER_MODEL_ARCH_CALL_ARGUMENTS_H_
#define OMPPROF_PROFILER_MODEL_ARCH_CALL_ARGUMENTS_H_

#include <cstdint>
#include <string>

#include "profiler/model/address_names.h"
#include "profiler/model/arch/function_code.h"

namespace ompprof::model {

// Whether the code of a file for `machine` (e_machine of its ELF header) can be read.
bool CanReadCode(uint16_t machine);

// The type of a relocation by which the loader writes the address of a symbol into a slot, and of one by which it adds
// its base to an address. 0: that is not known of `machine`.
uint32_t SlotRelocation(uint16_t machine);
uint32_t RelativeRelocation(uint16_t machine);

// The name, of `names`, whose address the call that ends at `call_end` gets as an argument of a runtime's entry point.
// Empty if the code does not tell, or `machine`'s cannot be read.
std::string NameInCallArguments(uint16_t machine, const FunctionCode& code, uint64_t call_end,
                                const AddressNames& names);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ARCH_CALL_ARGUMENTS_H_
