// Finds the entry (FDE) of a code address's function in .eh_frame, by the sorted table in .eh_frame_hdr or by a table
// that the collector has made.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_FDE_FINDER_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_FDE_FINDER_H_

#include <stdint.h>

#include "profiler/collect/unwind/object_finder.h"

namespace ompprof::collect {

// Memory for copies of entries, for objects that may be unloaded meanwhile. Of 120,000 entries in the libraries of a
// Debian system (LLVM, libstdc++, CPython and others), 12 are longer than `fde`. In LAPACK, 93 of 1,955 are longer; the
// longest has 7,580 bytes. Their programs are read a window at a time (ReadWindow).
struct EntryScratch {
  uint8_t fde[1024];  // the FDE, and before that parts of the sorted table
  uint8_t cie[192];
  uint8_t window[1024];  // a later part of the FDE
  uint32_t window_offset;
  uint32_t window_size;  // 0: no window has been read
  uint32_t reads;        // the number of checked reads, which is the look-up's cost
};

// The bytes of an entry behind its length, in place or copied.
struct EntryBytes {
  const uint8_t* begin;
  const uint8_t* end;
  uintptr_t shift;  // from a place here to its address in the object
  // The entry is longer than its copy by this number of bytes. The copy ends in the entry's program.
  uint64_t missing;
  EntryScratch* scratch;  // holds the copy and its windows; NULL: the bytes are in place
};

// An FDE and its CIE, decoded up to their programs.
struct Fde {
  uintptr_t pc_begin;  // [pc_begin, pc_end): the function
  uintptr_t pc_end;
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t pointer_encoding;
  bool signal_frame;  // 'S': this "function" is a signal trampoline; its caller was interrupted and made no call
  const uint8_t* initial_program;  // of the CIE, runs first; ends with `cie`
  const uint8_t* program;          // ends with `fde`
  EntryBytes cie;
  EntryBytes fde;
};

// Finds the entry whose range contains `pc`. False if there is no entry, if the object has no sorted table in the
// format that linkers write (data-relative 4-byte pairs) nor one of made_tables.h, or if the bytes make no sense. Reads
// nothing outside `object`'s mapping, but for a made table's entries, which it reads like those of other objects below.
// It reads permanent objects plainly, and does not use `scratch`, which may be NULL. It reads all other objects by
// checked reads into `scratch` (six or seven, about 1 us each), and `fde` then points into `scratch`.
// Async-signal-safe.
bool FindFde(const Object& object, uintptr_t pc, EntryScratch* scratch, Fde* fde);

// Whether the object has a sorted table in that format. Async-signal-safe.
bool HasSortedTable(const Object& object, EntryScratch* scratch);

// Reads the entry's bytes from `offset` on into the scratch's window, in place of those read before. False if the
// object is gone, or if the entry ends before. Async-signal-safe.
bool ReadWindow(const EntryBytes& entry, uint64_t offset);

// Decodes the entry at `address`. For FindFde and tests. Async-signal-safe.
bool ParseFde(const Object& object, uintptr_t address, EntryScratch* scratch, Fde* fde);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_FDE_FINDER_H_
