#include "profiler/analyze/advice/advice.h"

namespace ompprof::analyze {

namespace {

const char* PlacementName(AdviceKind kind) {
  if (kind == AdviceKind::kBinding) return "binding";
  return kind == AdviceKind::kBoundTogether ? "bound-together" : "shared-cores";
}

}  // namespace

const char* AdviceName(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kStaticSchedule:
      return "static-schedule";
    case AdviceKind::kUnevenTeam:
      return "uneven-team";
    case AdviceKind::kChunkTooSmall:
      return "chunk-too-small";
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
    case AdviceKind::kAtomicUpdates:
      return "atomic-updates";
    case AdviceKind::kOutsideLock:
      return "outside-lock";
    case AdviceKind::kRegionTooShort:
      return "region-too-short";
    case AdviceKind::kTasksTooFine:
      return "tasks-too-fine";
    case AdviceKind::kFuseRegions:
      return "fuse-regions";
    case AdviceKind::kFewerThreads:
      return "fewer-threads";
    case AdviceKind::kKeepData:
      return "keep-data";
    case AdviceKind::kShortKernels:
      return "short-kernels";
    case AdviceKind::kTransfers:
      return "transfers";
    case AdviceKind::kNowaitLaunches:
      return "nowait-launches";
    case AdviceKind::kIdleDevice:
      return "idle-device";
    case AdviceKind::kOnTheHost:
      return "on-the-host";
    case AdviceKind::kBoundTogether:
    case AdviceKind::kSharedCores:
    case AdviceKind::kBinding:
      return PlacementName(kind);
    case AdviceKind::kSerialPart:
      return "serial-part";
    case AdviceKind::kNestedLibrary:
      return "nested-library";
    case AdviceKind::kReturnedMemory:
      return "returned-memory";
  }
  return "";
}

bool IsOnMeasurement(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::kTooManyThreads:
    case AdviceKind::kCpuQuota:
    case AdviceKind::kAffinityMask:
    case AdviceKind::kBusyMachine:
    case AdviceKind::kBoundTogether:
    case AdviceKind::kSharedCores:
    case AdviceKind::kBinding:
      return true;
    default:
      return false;
  }
}

const char* RefusalName(RefusalReason reason) {
  switch (reason) {
    case RefusalReason::kOthersAreLate:
      return "others-are-late";
    case RefusalReason::kEvenWork:
      return "even-work";
    case RefusalReason::kBusyProcessors:
      return "busy-processors";
    case RefusalReason::kLittleWork:
      return "little-work";
    case RefusalReason::kStaticAlready:
      return "static-already";
    case RefusalReason::kLongChunks:
      return "long-chunks";
    case RefusalReason::kManyLocks:
      return "many-locks";
    case RefusalReason::kNoTaskIsReady:
      return "no-task-is-ready";
    case RefusalReason::kRegionOverhead:
      return "region-overhead";
    case RefusalReason::kNoTasks:
      return "no-tasks";
    case RefusalReason::kSmallCauses:
      return "small-causes";
    case RefusalReason::kSmallRegions:
      return "small-regions";
  }
  return "";
}

}  // namespace ompprof::analyze
