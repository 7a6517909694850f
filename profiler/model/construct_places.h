// Finds the places of constructs in the source, from the texts that LLVM's compilers pass to the OpenMP runtime.
//
// Each call of the runtime has an ident_t (openmp/runtime/src/kmp.h) as its first argument. In a program compiled with
// debug information, its text is ";file;function;line;column;;". clang's text says no more than the debug information.
// LLVM's Fortran compiler gives lines of nearby code to a construct's body and to the call that creates it. Only this
// text has the construct's own line (but not the file: "FIRModule").
#ifndef OMPPROF_PROFILER_MODEL_CONSTRUCT_PLACES_H_
#define OMPPROF_PROFILER_MODEL_CONSTRUCT_PLACES_H_

#include <libelf.h>

#include <cstdint>
#include <map>
#include <string>

namespace ompprof::model {

// The texts of the file's ident_t structures, by their addresses. Empty for a processor that arch/call_arguments.h does
// not know.
std::map<uint64_t, std::string> ReadConstructPlaces(Elf* elf);

// The line in such a text; 0 if the text has no line.
uint32_t ConstructLine(const std::string& place);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CONSTRUCT_PLACES_H_
