// Finds the first addresses of an object file's functions without any symbol. The table of .eh_frame_hdr, which unwinds
// exceptions, stays in a stripped file. For DebugFile.
#ifndef OMPPROF_PROFILER_MODEL_FUNCTION_STARTS_H_
#define OMPPROF_PROFILER_MODEL_FUNCTION_STARTS_H_

#include <libelf.h>

#include <cstdint>
#include <vector>

namespace ompprof::model {

// The first addresses, in the file's addresses, sorted. Empty if the file has no such table, or has a table in an
// encoding that linkers for Linux do not write (LSB Core, ".eh_frame_hdr"). The cold part of a function counts as a
// function.
std::vector<uint64_t> ReadFunctionStarts(Elf* elf);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_FUNCTION_STARTS_H_
