// A file as a source of bytes. The profile reader and the merger use it.
#ifndef OMPPROF_PROFILER_MODEL_FILE_SOURCE_H_
#define OMPPROF_PROFILER_MODEL_FILE_SOURCE_H_

#include <string>

#include "profiler/model/record_log.h"
#include "profiler/model/status.h"

namespace ompprof::model {

// Opens `path`; the file is closed with the last copy of `source`. The sentence begins with the file's name.
Status OpenFileSource(const std::string& path, ByteSource* source);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_FILE_SOURCE_H_
