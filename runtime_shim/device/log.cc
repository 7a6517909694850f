#include "runtime_shim/device/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime_shim/device/options.h"

namespace reference_device {
namespace {

int Open() {
  const char* path = GetOptions().log;
  if (path == nullptr) return -1;
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    dprintf(STDERR_FILENO, "libgomp_reference_device: GOMP_REFERENCE_LOG: cannot write to \"%s\": %s\n", path,
            strerror(errno));
  return file;
}

int LogFile() {
  static int file = -1;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { file = Open(); });
  return file;
}

const char* Name(NativeKind kind) {
  switch (kind) {
    case NativeKind::kKernel:
      return "kernel";
    case NativeKind::kCopyToDevice:
      return "to_device";
    case NativeKind::kCopyFromDevice:
      return "from_device";
    case NativeKind::kCopyOnDevice:
      return "on_device";
    case NativeKind::kAlloc:
      return "alloc";
    case NativeKind::kFree:
      return "free";
    case NativeKind::kFill:
      return "fill";
  }
  return "unknown";
}

}  // namespace

void WriteLog(int target_id, const Operation& operation) {
  const int file = LogFile();
  if (file < 0) return;
  // One write for a line: threads may write at once.
  dprintf(file,
          "%s device=%d bytes=%zu begin_ns=%" PRIu64 " end_ns=%" PRIu64 " function=%p target_id=%" PRIu64
          " host_op_id=%" PRIu64 "\n",
          Name(operation.kind), target_id, operation.bytes, operation.begin_ns, operation.end_ns, operation.function,
          operation.host.target_id, operation.host.host_op_id);
}

void LogEnd(int target_id, unsigned long lost_records) {
  const int file = LogFile();
  if (file >= 0) dprintf(file, "end device=%d lost=%lu\n", target_id, lost_records);
}

}  // namespace reference_device
