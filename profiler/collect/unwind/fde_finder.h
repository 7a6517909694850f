// From a code address to its function's entry (FDE) in .eh_frame, by the sorted table in .eh_frame_hdr.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_FDE_FINDER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_FDE_FINDER_H_

#include <stdint.h>

#include "profiler/collect/unwind/object_finder.h"

namespace ompprof::collect {

// An FDE and the CIE it refers to, decoded as far as their programs.
struct Fde {
  uintptr_t pc_begin;  // [pc_begin, pc_end): the function
  uintptr_t pc_end;
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t pointer_encoding;
  bool signal_frame;  // 'S': this "function" is a signal trampoline, and its caller was interrupted, not calling
  const uint8_t* initial_program;  // the CIE's, run first
  const uint8_t* initial_program_end;
  const uint8_t* program;
  const uint8_t* program_end;
};

// Finds the entry whose range contains `pc`. False if there is none, or the object has no sorted table in the one
// format linkers write (data-relative 4-byte pairs), or the bytes make no sense. Reads nothing outside `object`'s
// mapping. Async-signal-safe.
bool FindFde(const Object& object, uintptr_t pc, Fde* fde);

// Decodes the entry at `address`. For FindFde and tests. Async-signal-safe.
bool ParseFde(const Object& object, uintptr_t address, Fde* fde);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_FDE_FINDER_H_
