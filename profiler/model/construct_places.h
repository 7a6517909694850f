// Where constructs are in the source, by what LLVM's compilers tell the OpenMP runtime.
//
// Each call of the runtime has an ident_t (openmp/runtime/src/kmp.h) as its first argument, whose text is
// ";file;function;line;column;;" where the program was compiled with debug information. That of clang says no more than
// the debug information itself. LLVM's Fortran compiler gives a construct's body and the call that creates it lines
// of code nearby there, and the construct's own in this text only (the file is not in it: "FIRModule").
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

// The line in such a text, 0 if there is none.
uint32_t ConstructLine(const std::string& place);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_CONSTRUCT_PLACES_H_
