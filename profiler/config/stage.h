// The names of profiles below the folder of --stage. The collector writes them, and `ompprof record` looks for those of
// killed processes. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_STAGE_H_
#define OMPPROF_PROFILER_CONFIG_STAGE_H_

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

namespace ompprof::config {

// What stands behind a profile's name while it is copied.
inline constexpr char kPartSuffix[] = ".part";

// FOLDER/ompprof-UID. Behind it, a file has the whole path that it is to get. False: no room.
inline bool StageRoot(const char* folder, uid_t user, char* out, size_t size) {
  const int length = snprintf(out, size, "%s/ompprof-%u", folder, static_cast<unsigned>(user));
  return length > 0 && static_cast<size_t>(length) < size;
}

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_STAGE_H_
