// From a profile's records to a ProcessProfile. `ompprof report`, `export` and the tests call it.
#ifndef OMPPROF_PROFILER_MODEL_PROFILE_READER_H_
#define OMPPROF_PROFILER_MODEL_PROFILE_READER_H_

#include <string>

#include "profiler/model/process_profile.h"
#include "profiler/model/record_log.h"
#include "profiler/model/status.h"

namespace ompprof::model {

struct ReadResult {
  // Fine, or what is wrong with the file: a whole sentence beginning with the file's name.
  Status status;

  // What could be read is worth showing: at least the header was there.
  bool usable = false;

  ProcessProfile profile;
};

// Reads `path` to its end, or to the last whole record before the first one that makes no sense.
ReadResult ReadProfile(const std::string& path);

// The same from any source of bytes; `name` stands for the file in sentences.
ReadResult ReadProfile(const std::string& name, ByteSource source);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_PROFILE_READER_H_
