// Reads only the header of a profile's first process. Commands call it for each file in a folder.
#ifndef OMPPROF_PROFILER_MODEL_PROFILE_HEADER_H_
#define OMPPROF_PROFILER_MODEL_PROFILE_HEADER_H_

#include <string>

#include "proto/callpath_profile.pb.h"

namespace ompprof::model {

// False if `path` is no profile. Only regular files are opened: a pipe's bytes are for another reader.
bool ReadHeader(const std::string& path, Header* header);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_PROFILE_HEADER_H_
