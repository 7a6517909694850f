// The profile that this process writes: its name, its file, and the records that wait to be appended. Writer thread
// only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FILES_PROFILE_FILE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FILES_PROFILE_FILE_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "profiler/collect/write/encoding/encoder.h"
#include "profiler/collect/write/files/log_file.h"
#include "profiler/collect/write/files/staged_file.h"

namespace ompprof::collect {

struct ProgramFacts;

// In zeroed memory: its buffers have no initializers, because untouched pages cost nothing.
class ProfileFile {
 private:
  static constexpr size_t kBufferBytes = 512 << 10;
  uint8_t buffer_[kBufferBytes];

 public:
  // Opens the file under a free name. The file has its header as soon as it appears, because the process may be killed
  // at any moment. False: `error` holds a sentence.
  bool Open(const ProgramFacts& program, char* error, size_t size);

  // Makes room in `out` for one record, kMaxRecordBytes. False: the file does not take the records that wait.
  bool MakeRoom();

  // Appends the records that wait. False: the file did not take them. They wait on, and write_error says why.
  bool Flush();

  Encoder out{buffer_, kBufferBytes};  // the records that wait
  LogFile log;
  StagedFile staged;
  char path[PATH_MAX];  // "" before Open
  bool renamed;         // the requested name was taken, maybe by another run
  int stage_error;      // an error number: the profile cannot grow in the folder of --stage
  int write_error;      // of the last attempt: 0 or -errno

 private:
  // A name that is no path from the root begins at `folder`.
  bool OpenBelow(const char* folder, const ProgramFacts& program, char* error, size_t size);
  // With --stage: lets the opened file grow elsewhere.
  void Stage(const ProgramFacts& program);
};

// A number from 1 to `most` that is not taken, behind one that is (or 1). `most`, if all that were looked at are taken.
// Looks at 2 log2(most) numbers: a script may start ten thousand programs, and the last of them finds its name as
// quickly as the first.
template <typename IsTaken>
unsigned FreeNumber(unsigned most, IsTaken is_taken) {
  unsigned taken = 0;
  unsigned free = 1;
  while (free < most && is_taken(free)) {
    taken = free;
    free = free < most / 2 ? free * 2 : most;
  }
  while (free - taken > 1) {
    const unsigned middle = taken + (free - taken) / 2;
    (is_taken(middle) ? taken : free) = middle;
  }
  return free;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FILES_PROFILE_FILE_H_
