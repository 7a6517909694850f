// Facts that the loader and the kernel know about this process. Asked outside the handler, before the program's main.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_PROCESS_FACTS_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_PROCESS_FACTS_H_

#include <stdint.h>

namespace ompprof::collect {

// The high end of the main thread's stack, where its outermost frame lies.
uintptr_t MainStackEnd();

// An address in the executable.
const void* ProgramCode();

// Whether this library comes before libc in the search order, so that the program calls its wrappers. False when the
// OpenMP runtime loaded this library (OMP_TOOL_LIBRARIES).
bool LoadedBeforeTheProgram();

// A warning and a note, once, if libgomp is loaded, and no shim and no runtime that has found the tool. At the end also
// notes of other reasons why a runtime has not found the tool.
void NoteRuntimeWithoutOmpt(bool at_end);

// A note: the tool in this file, which is not this library, is the one that the runtime starts.
void NoteProgramsTool(const char* file);

// For the end: a note if the program's offloading runtime has reported no device and cannot.
void NoteOffloadWithoutOmpt();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_PROCESS_FACTS_H_
