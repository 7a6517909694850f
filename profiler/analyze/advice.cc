#include "profiler/analyze/advice.h"

namespace ompprof::analyze {

const char* AdviceName(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kStaticSchedule:
      return "static-schedule";
    case AdviceKind::kUnevenTeam:
      return "uneven-team";
    case AdviceKind::kChunkTooSmall:
      return "chunk-too-small";
    case AdviceKind::kWaitPolicy:
      return "wait-policy";
    case AdviceKind::kTooManyThreads:
      return "too-many-threads";
    case AdviceKind::kCpuQuota:
      return "cpu-quota";
    case AdviceKind::kAffinityMask:
      return "affinity-mask";
    case AdviceKind::kBusyMachine:
      return "busy-machine";
    case AdviceKind::kShortCritical:
      return "short-critical";
    case AdviceKind::kLongHeldLock:
      return "long-held-lock";
    case AdviceKind::kContendedLock:
      return "contended-lock";
    case AdviceKind::kRegionTooShort:
      return "region-too-short";
    case AdviceKind::kTasksTooFine:
      return "tasks-too-fine";
    case AdviceKind::kBinding:
      return "binding";
    case AdviceKind::kSerialPart:
      return "serial-part";
  }
  return "";
}

}  // namespace ompprof::analyze
