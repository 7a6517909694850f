// Copies the names of the code that the process generates into the profile: its jitdumps (jit_dump.h) and its perf map.
// The perf map, /tmp/perf-PID.map, is the text file in which JIT compilers and Python (-X perf) name their code:
// "ADDRESS SIZE NAME" lines (tools/perf/Documentation/jit-interface.txt of Linux). A later process with the same number
// would overwrite it. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_GENERATED_CODE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_GENERATED_CODE_H_

#include "profiler/collect/write/encoding/records.h"
#include "profiler/collect/write/files/profile_file.h"
#include "profiler/collect/write/generated/code_file.h"
#include "profiler/collect/write/generated/jit_dump.h"

namespace ompprof::collect {

// In zeroed memory.
class GeneratedCode {
 public:
  explicit GeneratedCode(ProfileFile* file) : file_(file) {}

  // Called when the writer thread begins. `own`: its descriptors are in a table of its own.
  void BeginDescriptors(bool own);

  // A call path with an address in no object has come.
  void Expect() { new_ = true; }

  // Copies what the process has added, a few pieces in a round. `last`: all of it. False: the file does not take it.
  bool Write(bool last);

 private:
  // The text of half a million functions. More is left out.
  static constexpr uint64_t kMostMapText = 32 << 20;

  size_t ReadMap();
  bool WriteMap(bool last);
  bool WriteDumps(bool last);

  ProfileFile* const file_;
  CodeFile map_;
  uint64_t map_size_;  // so much of the perf map is in the profile
  JitDumps dumps_;
  bool new_;              // Expect was called since the previous round
  bool any_;              // Expect was called
  bool own_descriptors_;  // the thread has left the program's table
  char text_[kMaxCodeTextBytes];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_GENERATED_CODE_H_
