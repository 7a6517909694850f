#include "profiler/collect/write/generated/perf_map.h"

#include <stdio.h>

namespace ompprof::collect {

size_t PerfMap::ReadMore(pid_t pid, int64_t start_unix_ns, char* out, size_t size) {
  if (offset_ >= kMostText) return 0;
  if (size > kMostText - offset_) size = kMostText - offset_;
  char path[32];
  snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
  if (!file.Open(path, start_unix_ns)) return 0;
  const size_t got = file.Read(offset_, out, size);
  offset_ += got;
  return got;
}

}  // namespace ompprof::collect
