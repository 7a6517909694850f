// Copies the process's jitdump files into the log, without the machine code that they hold. A jitdump, jit-PID.dump, is
// the file in which JIT compilers name the code that they generate (tools/perf/Documentation/jitdump-specification.txt
// of Linux). The process maps it executable, so that profilers find its path in /proc/self/maps. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_JIT_DUMP_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_JIT_DUMP_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profiler/collect/write/generated/code_file.h"

namespace ompprof::collect {

// What a compaction has done with the beginning of a jitdump's text.
struct Compaction {
  uint64_t taken;  // bytes of the file that are done with; more than the text's size, if the rest is machine code
  size_t kept;     // bytes that are left at the text's beginning
  bool damaged;    // a length is impossible, or the file is no jitdump: nothing can be found after this place
};

// Removes from the records at the beginning of `text` what the reader does not need: machine code, unwinding tables,
// and records of other kinds. The lengths of records follow, so the rest is a jitdump again. A record that is not whole
// stays for the next time. `begins`: the text begins with the file's header. `room`: the largest size of a text. A
// description of lines that is longer than this loses its end. `swapped`: the file has the other byte order; it is
// found in the header.
Compaction CompactJitDump(uint8_t* text, size_t size, size_t room, bool begins, bool* swapped);

class JitDump {
 public:
  // The next records, at most `size` bytes, which must be kLeastRoom or more. 0: there are none, yet.
  size_t ReadMore(int64_t start_unix_ns, uint8_t* out, size_t size);

  static constexpr size_t kLeastRoom = 4096;

  // The names of half a million functions. More is left out.
  static constexpr uint64_t kMostKept = 32 << 20;

  char path[PATH_MAX];
  CodeFile file;
  bool announced = false;  // the log has the path

 private:
  uint64_t offset_ = 0;
  uint64_t kept_ = 0;
  bool swapped_ = false;
  bool done_ = false;
};

// All jitdumps of the process. A process has more than one if several of its libraries generate code.
class JitDumps {
 public:
  static constexpr uint32_t kMostDumps = 4;

  // Looks for jitdumps that have been mapped since the last call. `buffer`: memory for reading the table of mappings.
  void Find(pid_t pid, char* buffer, size_t size);

  uint32_t count() const { return count_; }
  JitDump& dump(uint32_t number) { return dumps_[number]; }

 private:
  void Add(const char* path);

  uint32_t count_ = 0;
  JitDump dumps_[kMostDumps];
};

// The path in a line of /proc/PID/maps (without its end), if the line is an executable mapping of jit-PID.dump. NULL:
// it is none.
const char* JitDumpOfMapping(const char* line, pid_t pid);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_GENERATED_JIT_DUMP_H_
