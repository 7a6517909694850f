// The field numbers and enumerators of callpath_profile.proto, for the collector, which encodes without libprotobuf.
// tests/unit/proto/fields_test.cc holds every one of them against the compiled .proto.
#ifndef OMPPROF_PROTO_CALLPATH_PROFILE_FIELDS_H_
#define OMPPROF_PROTO_CALLPATH_PROFILE_FIELDS_H_

#include <stddef.h>
#include <stdint.h>

namespace ompprof::fields {

// What a log begins with.
inline constexpr char kMagic[] = "OMPPROF\n";
inline constexpr size_t kMagicSize = sizeof kMagic - 1;
inline constexpr uint32_t kFormatVersion = 1000;

namespace record {
enum : uint32_t {
  kHeader = 1,
  kModule,
  kThread,
  kNodes,
  kSamples,
  kRegionContext,
  kRegionStats,
  kRuntime,
  kLost,
  kNote,
  kFooter,
  kEvents,
  kWaitStats,
  kWorkStats,
  kLockInit,
  kLabel,
  kRegionRuns,
  kGoverned
};
}
namespace header {
enum : uint32_t {
  kFormatVersion = 1,
  kProgram,
  kArgv,
  kHost,
  kPid,
  kParentPid,
  kStartUnixNs,
  kStartMonoNs,
  kClock,
  kSource,
  kWeightUnit,
  kPeriod,
  kFrequency,
  kUnwinder,
  kTaskContext,
  kRank,
  kCollectorVersion,
  kCpus,
  kTickNs,
  kCpuQuotaMilli,
  kSockets,
  kSettings,
  kNoWaits,
  kTimeline,
  kMaxOverheadPermille
};
}
namespace module {
enum : uint32_t {
  kId = 1,
  kPath,
  kBuildId,
  kLoadBias,
  kSegments,
  kLoadedEpoch,
  kUnloadedEpoch,
  kOpenmpRuntime,
  kProfilersOwn
};
}
namespace segment {
enum : uint32_t { kVaddr = 1, kMemsz, kOffset, kFlags };
}
namespace thread {
enum : uint32_t { kId = 1, kTid, kName, kKind, kStartMonoNs, kEndMonoNs, kCpuNs, kSampled, kSocketMoves };
enum Kind : uint32_t { kKindUnknown = 0, kKindInitial, kKindWorker, kKindOther, kKindMain };
}  // namespace thread
namespace node_batch {
enum : uint32_t { kTree = 1, kFirstId, kParentDistance, kValueDelta, kKind };
}
namespace sample_batch {
enum : uint32_t {
  kTree = 1,
  kThread,
  kEndMonoNs,
  kNode,
  kState,
  kWaitId,
  kSplice,
  kRegion,
  kSamples,
  kWeight,
  kWait,
  kBlame,
  kLockBlame,
  kTimedRow,
  kTimedEndDeltaUs,
  kTimedWeightDelta,
  kPhase,
  kWaitVariance,
  kBlameVariance,
  kLockBlameVariance
};
}
namespace region_context {
enum : uint32_t { kId = 1, kCodeptrRa, kResolved, kTree, kNode, kSplice, kRequestedTeamSize, kParent };
}
namespace region_runs {
enum : uint32_t {
  kContext = 1,
  kEnded,
  kElapsedNs,
  kEndWaitNs,
  kUsefulNs,
  kUsefulMaxNs,
  kUsefulMinNs,
  kTeamNs,
  kEstimated
};
}
namespace region_stats {
enum : uint32_t {
  kThread = 1,
  kCodeptrRa,
  kInvocations,
  kElapsedNs,
  kEnded,
  kRequestedMin,
  kRequestedMax,
  kActualSum,
  kActualMin,
  kActualMax,
  kNestingLevel,
  kElapsedMinNs,
  kElapsedMaxNs,
  kModuleEpoch,
  kTeams,
  kEndWaitNs,
  kEndWaitPathNs,
  kUsefulNs,
  kUsefulMaxNs,
  kUsefulMinNs,
  kTeamNs,
  kPartialNs,
  kSyncWaitNs,
  kOuterBlameNs,
  kUnblamedNs,
  kEstimated
};
}
namespace wait_stats {
enum : uint32_t {
  kThread = 1,
  kState,
  kCodeptrRa,
  kRegionCodeptrRa,
  kWaitId,
  kAcquiredAt,
  kModuleEpoch,
  kCount,
  kTotalNs,
  kMaxNs,
  kPathNs,
  kLastCount,
  kLastByNs,
  kHeldCount,
  kHeldNs,
  kLock = 20,
  kEstimatedNs,
  kEstimatedVariance
};
}
namespace governed {
enum : uint32_t { kEventClass = 1, kEvents, kObserved };
}
namespace work_stats {
enum : uint32_t { kThread = 1, kType, kCodeptrRa, kRegionCodeptrRa, kModuleEpoch, kCount, kIterations, kChunks };
}
namespace lock_init {
enum : uint32_t { kId = 1, kWaitId, kKind, kCodeptrRa, kModuleEpoch, kTree, kNode, kSplice };
}
namespace label {
enum : uint32_t { kId = 1, kParent, kName };
}
namespace runtime {
enum : uint32_t { kVersion = 1, kOmpVersion, kCallbacks, kStates, kMutexImpls, kMissingEntryPoints, kModule };
}
namespace callback {
enum : uint32_t { kName = 1, kEvent, kResult };
}
namespace enumerator {
enum : uint32_t { kName = 1, kValue };
}
namespace lost {
enum : uint32_t { kReason = 1, kSamples, kWeight };
}
namespace note {
enum : uint32_t { kMonoNs = 1, kText };
}
namespace events {
enum : uint32_t { kEvent = 1, kCount };
}
namespace footer {
enum : uint32_t {
  kEndMonoNs = 1,
  kProcessCpuNs,
  kReason,
  kSamples,
  kWeight,
  kHelperCpuNs,
  kLockHandoffNs,
  kParallelNs,
  kSerialNs,
  kIdleNs,
  kIdleUnblamedNs,
  kBlamePendingNs,
  kIntervalsLost,
  kLabelsRefused
};
}

enum EventClass : uint32_t {
  kClassNone = 0,
  kClassTask,
  kClassTaskWait,
  kClassBarrier,
  kClassLock,
  kClassRegion,
  kClassWork,
  kClasses
};

enum NodeKind : uint8_t {
  kNodeNone = 0,
  kNodeRoot,
  kNodeFrame,
  kNodeImplicitTask,
  kNodeExplicitTask,
  kNodeTaskContext,
  kNodeCut,
  kNodeBroken,
  kNodeInitialTask
};
enum NodeFlag : uint8_t { kNodeRuntime = 16, kNodeReturnAddress = 32 };

enum LostReason : uint32_t {
  kLostNone = 0,
  kLostTreeFull,
  kLostRingFull,
  kLostBusy,
  kLostNotAttached,
  kLostNoTimer,
  kLostWrite,
  kLostReasons
};

}  // namespace ompprof::fields

#endif  // OMPPROF_PROTO_CALLPATH_PROFILE_FIELDS_H_
