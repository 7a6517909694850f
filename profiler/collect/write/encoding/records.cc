#include "profiler/collect/write/encoding/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "profiler/collect/base/os.h"
#include "profiler/collect/blame/waits.h"
#include "profiler/collect/blame/window_clock.h"
#include "profiler/collect/ompt/callbacks.h"
#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "profiler/config/mpi_ranks.h"
#include "profiler/config/perf_events.h"
#include "profiler/config/settings.h"
#include "profiler/config/version.h"
#include "proto/callpath_profile_fields.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

// A record of the log: its length, and inside the only field of Record that is set.
class RecordScope {
 public:
  RecordScope(uint32_t kind, Encoder* out) : out_(out), record_(out->BeginLength()), message_(out->Begin(kind)) {}
  ~RecordScope() {
    out_->End(message_);
    out_->End(record_);
  }

 private:
  Encoder* out_;
  size_t record_;
  size_t message_;
};

// A packed column over `count` entries; left out if all are zero.
template <typename Value>
void Column(uint32_t field, uint32_t count, Encoder* out, Value value) {
  bool any = false;
  for (uint32_t i = 0; i < count && !any; ++i) any = value(i) != 0;
  if (!any) return;
  const size_t begin = out->Begin(field);
  for (uint32_t i = 0; i < count; ++i) out->Varint(value(i));
  out->End(begin);
}

// Column of the differences between neighbours, the first of them to `before`.
template <typename Value>
void DeltaColumn(uint32_t field, uint32_t count, uint64_t before, Encoder* out, Value value) {
  Column(field, count, out, [&](uint32_t i) {
    return Encoder::ZigZag(static_cast<int64_t>(value(i) - (i == 0 ? before : value(i - 1))));
  });
}

// The set as ranges: first, last, first, last, ...
void EncodeRanges(uint32_t field, const ProcessorSet& set, Encoder* out) {
  if (set.empty()) return;
  const size_t begin = out->Begin(field);
  for (uint32_t i = 0; i < ProcessorSet::kMost; ++i) {
    if (!set.Has(i)) continue;
    if (i == 0 || !set.Has(i - 1)) out->Varint(i);
    if (i + 1 == ProcessorSet::kMost || !set.Has(i + 1)) out->Varint(i);
  }
  out->End(begin);
}

}  // namespace

void EncodeHeader(const ProgramFacts& program, Encoder* out) {
  namespace f = fields::header;
  const Config& config = session.config;
  const RecordScope record(fields::record::kHeader, out);
  out->UInt(f::kFormatVersion, fields::kFormatCurrent);
  out->String(f::kProgram, program.executable);
  for (size_t at = 0; at < program.argv_size; at += strlen(program.argv + at) + 1)
    out->StringEntry(f::kArgv, program.argv + at);
  out->String(f::kHost, program.host);
  out->UInt(f::kPid, static_cast<uint64_t>(session.pid));
  out->UInt(f::kParentPid, static_cast<uint64_t>(getppid()));
  out->UInt(f::kStartUnixNs, static_cast<uint64_t>(session.start_unix_ns));
  out->UInt(f::kStartMonoNs, session.start_mono_ns);
  out->String(f::kClock, config.event[0] != '\0' ? config.event : config::WordOf(config.clock));
  if (session.source->weight == WeightKind::kEvents) {
    char name[80] = "perf:";
    strcat(name, config.event);
    out->String(f::kSource, name);
  } else {
    out->String(f::kSource, session.source->name);
  }
  out->String(f::kWeightUnit, session.source->weight_unit);
  out->UInt(f::kPeriod, session.period);
  out->UInt(f::kFrequency, config.frequency);
  out->String(f::kUnwinder, config::WordOf(config.unwind));
  out->String(f::kTaskContext, config::WordOf(config.task_context));
  out->String(f::kRank, config::MpiRank());
  out->String(f::kRun, program.run);
  out->String(f::kCollectorVersion, config::kVersion);
  out->UInt(f::kCpus, program.machine.may_use.size());
  EncodeRanges(f::kMayUse, program.machine.may_use, out);
  out->UInt(f::kTickNs, session.tick_ns);
  out->UInt(f::kCpuQuotaMilli, program.machine.cpu_quota_milli);
  for (size_t at = 0; at < program.settings_size; at += strlen(program.settings + at) + 1)
    out->StringEntry(f::kSettings, program.settings + at);
  out->UInt(f::kNoWaits, config.waits ? 0 : 1);
  out->UInt(f::kTimeline, config.timeline ? 1 : 0);
  out->UInt(f::kMaxOverheadPermille, config.max_overhead_permille);
  out->UInt(f::kPaused, config.paused ? 1 : 0);
  out->UInt(f::kDelayNs, config.delay_ns);
  config::EventList counted;
  if (session.counted_events == 0 || !config::ParseEvents(config.count, &counted)) return;
  for (uint32_t i = 0; i < counted.size; ++i) out->StringEntry(f::kCountedEvents, counted.events[i]->name);
}

void EncodeModule(const Module& module, Encoder* out) {
  namespace f = fields::module;
  const RecordScope record(fields::record::kModule, out);
  out->UInt(f::kId, module.id);
  out->String(f::kPath, module.path);
  out->Bytes(f::kBuildId, module.build_id, module.build_id_size);
  out->UInt(f::kLoadBias, module.load_bias);
  for (uint32_t i = 0; i < module.segment_count; ++i) {
    const ModuleSegment& segment = module.segments[i];
    const size_t begin = out->Begin(f::kSegments);
    out->UInt(fields::segment::kVaddr, segment.vaddr);
    out->UInt(fields::segment::kMemsz, segment.memsz);
    out->UInt(fields::segment::kOffset, segment.offset);
    out->UInt(fields::segment::kFlags, segment.flags);
    out->End(begin);
  }
  out->UInt(f::kLoadedEpoch, module.loaded_epoch);
  out->UInt(f::kUnloadedEpoch, module.unloaded_epoch);
  out->UInt(f::kOpenmpRuntime, module.openmp_runtime);
  out->UInt(f::kProfilersOwn, module.profilers_own);
}

bool ParseRunDelay(const char* schedstat, uint64_t* run_delay_ns) {
  char* end;
  strtoull(schedstat, &end, 10);
  if (end == schedstat || *end != ' ') return false;
  const char* const second = end + 1;
  *run_delay_ns = strtoull(second, &end, 10);
  return end != second && *end == ' ';
}

namespace {

void ReadReadyTime(ThreadIdentity* thread) {
  char path[64];
  char schedstat[96];
  snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", thread->tid);
  const size_t size = ReadWholeFile(path, schedstat, sizeof(schedstat) - 1);
  schedstat[size] = '\0';
  uint64_t run_delay;
  if (size == 0 || !ParseRunDelay(schedstat, &run_delay)) return;
  ThreadIdentity::ReadyTime& ready = thread->ready;
  // A thread that is new to the collector may have run before. Then the count so far does not belong to the profile.
  constexpr uint64_t kNewThreadNs = 1000000;
  if (ready.read_at_ns == 0 && thread->start_cpu_ns > kNewThreadNs) ready.before_ns = run_delay;
  ready.total_ns = run_delay;
  ready.read_at_ns = MonotonicNs();
}

void EncodePlacement(const ThreadPlacement& placement, bool ended, Encoder* out) {
  namespace f = fields::thread;
  uint32_t count = 0;
  uint32_t processors[ThreadPlacement::kMostVisits];
  for (const ThreadPlacement::Visit& visit : placement.visits) {
    const uint32_t named = visit.processor.load(std::memory_order_acquire);
    if (named == 0) break;
    processors[count++] = named - 1;
  }
  Column(f::kRanOn, count, out, [&](uint32_t i) { return processors[i]; });
  Column(f::kRanOnWeight, count, out,
         [&](uint32_t i) { return placement.visits[i].weight.load(std::memory_order_relaxed); });
  out->UInt(f::kRanElsewhereWeight, placement.elsewhere.load(std::memory_order_relaxed));
  out->UInt(f::kMoves, placement.moves.load(std::memory_order_relaxed));
  EncodeRanges(f::kMayUse, ended && !placement.may_use_at_end.empty() ? placement.may_use_at_end : placement.may_use,
               out);
}

}  // namespace

void EncodeThread(ThreadState* thread, Encoder* out) {
  namespace f = fields::thread;
  const bool ended = thread->lifecycle.load(std::memory_order_acquire) != ThreadState::kLive;
  // A thread that ended unseen has no clock any more, so the clock's last reading stays.
  uint64_t cpu = thread->identity.end_cpu_ns.load(std::memory_order_relaxed);
  if (!ended) {
    const uint64_t now = ClockNs(ThreadCpuClock(thread->identity.tid));
    if (now > cpu) thread->identity.end_cpu_ns.store(cpu = now, std::memory_order_relaxed);
    if (const ProcessorSet set = ProcessorsOf(thread->identity.tid); !set.empty()) thread->placement.may_use = set;
    ReadReadyTime(&thread->identity);
  }
  const RecordScope record(fields::record::kThread, out);
  out->UInt(f::kId, thread->identity.id);
  out->UInt(f::kTid, static_cast<uint64_t>(thread->identity.tid));
  out->String(f::kName, thread->identity.name);
  out->UInt(f::kKind, thread->identity.kind.load(std::memory_order_relaxed));
  out->UInt(f::kStartMonoNs, thread->identity.start_ns);
  out->UInt(f::kEndMonoNs, ended ? thread->identity.end_ns.load(std::memory_order_relaxed) : 0);
  out->UInt(f::kCpuNs, cpu > thread->identity.start_cpu_ns ? cpu - thread->identity.start_cpu_ns : 0);
  out->UInt(f::kSampled, thread->sampler.armed);
  out->UInt(f::kReadyNs, thread->identity.ready.total_ns - thread->identity.ready.before_ns);
  out->UInt(f::kReadyUntilMonoNs, thread->identity.ready.read_at_ns);
  const ThreadIdentity::Work& work = thread->identity.kernel_work;
  out->UInt(f::kMinorFaults, work.minor_faults.load(std::memory_order_relaxed) - work.minor_faults_before);
  out->UInt(f::kMajorFaults, work.major_faults.load(std::memory_order_relaxed) - work.major_faults_before);
  out->UInt(f::kKernelNs, (work.cpu_us.load(std::memory_order_relaxed) - work.cpu_us_before) * 1000);
  EncodePlacement(thread->placement, ended, out);
}

void EncodeNodes(const Tree& tree, uint32_t first, uint32_t count, Encoder* out) {
  namespace f = fields::node_batch;
  const RecordScope record(fields::record::kNodes, out);
  out->UInt(f::kTree, tree.id());
  out->UInt(f::kFirstId, first);
  Column(f::kParentDistance, count, out, [&](uint32_t i) -> uint64_t {
    const uint32_t parent = tree.node(first + i).parent;
    return parent == 0 ? 0 : first + i - parent;
  });
  DeltaColumn(f::kValueDelta, count, 0, out, [&](uint32_t i) { return KeyValue(tree.node(first + i).key); });
  Column(f::kKind, count, out, [&](uint32_t i) -> uint64_t { return KeyKind(tree.node(first + i).key); });
}

void EncodeSamples(const SampleBatch& batch, uint32_t tree, uint32_t thread, uint64_t end_ns, Encoder* out) {
  namespace f = fields::sample_batch;
  const uint32_t count = batch.size();
  const RecordScope record(fields::record::kSamples, out);
  out->UInt(f::kTree, tree);
  out->UInt(f::kThread, thread);
  out->UInt(f::kEndMonoNs, end_ns);
  Column(f::kNode, count, out, [&](uint32_t i) { return batch.row(i).node; });
  Column(f::kState, count, out, [&](uint32_t i) { return StateToWire(batch.row(i).state); });
  Column(f::kWaitId, count, out, [&](uint32_t i) { return batch.row(i).wait_id; });
  Column(f::kSplice, count, out, [&](uint32_t i) { return batch.row(i).splice; });
  Column(f::kRegion, count, out, [&](uint32_t i) { return batch.row(i).region; });
  Column(f::kSamples, count, out, [&](uint32_t i) { return batch.row(i).samples; });
  Column(f::kWeight, count, out, [&](uint32_t i) { return batch.row(i).weight; });
  Column(f::kWait, count, out, [&](uint32_t i) { return batch.row(i).wait; });
  Column(f::kBlame, count, out, [&](uint32_t i) { return batch.row(i).blame; });
  Column(f::kLockBlame, count, out, [&](uint32_t i) { return batch.row(i).lock_blame; });
  Column(f::kPhase, count, out, [&](uint32_t i) { return batch.row(i).phase; });
  Column(f::kWaitVariance, count, out, [&](uint32_t i) { return batch.row(i).wait_variance; });
  Column(f::kBlameVariance, count, out, [&](uint32_t i) { return batch.row(i).blame_variance; });
  Column(f::kLockBlameVariance, count, out, [&](uint32_t i) { return batch.row(i).lock_blame_variance; });
  Column(f::kFaults, count, out, [&](uint32_t i) { return batch.row(i).faults; });
  Column(f::kKernelUs, count, out, [&](uint32_t i) { return batch.row(i).kernel_us; });
  Column(f::kReadyBlame, count, out, [&](uint32_t i) { return batch.row(i).ready_blame; });
  Column(f::kOffProcessorBlame, count, out, [&](uint32_t i) { return batch.row(i).off_processor_blame; });
  const uint32_t counted = batch.counted();
  if (counted != 0)
    Column(f::kCounts, count * counted, out, [&](uint32_t i) { return batch.counts(i / counted).of[i % counted]; });
  const uint32_t timed = batch.timed_size();
  Column(f::kTimedRow, timed, out, [&](uint32_t i) { return batch.timed(i).row; });
  DeltaColumn(f::kTimedEndDeltaUs, timed, 0, out, [&](uint32_t i) { return batch.timed(i).end_us; });
  DeltaColumn(f::kTimedWeightDelta, timed, 0, out, [&](uint32_t i) { return batch.timed(i).weight; });
}

void EncodeContext(const ContextDefinition& context, Encoder* out) {
  namespace f = fields::region_context;
  const RecordScope record(fields::record::kRegionContext, out);
  out->UInt(f::kId, context.id);
  out->UInt(f::kCodeptrRa, context.codeptr_ra);
  out->UInt(f::kResolved, context.resolved);
  out->UInt(f::kTree, context.tree);
  out->UInt(f::kNode, context.node);
  out->UInt(f::kSplice, context.splice);
  out->UInt(f::kRequestedTeamSize, context.requested_team_size);
  out->UInt(f::kParent, context.parent);
}

void EncodeRegionRuns(const ContextRuns& runs, Encoder* out) {
  namespace f = fields::region_runs;
  const RecordScope record(fields::record::kRegionRuns, out);
  out->UInt(f::kContext, runs.id);
  out->UInt(f::kEnded, runs.ended);
  out->UInt(f::kElapsedNs, runs.elapsed_ns);
  out->UInt(f::kEndWaitNs, runs.sums.end_wait_ns);
  out->UInt(f::kUsefulNs, runs.sums.useful_ns);
  out->UInt(f::kUsefulMaxNs, runs.sums.useful_max_ns);
  out->UInt(f::kUsefulMinNs, runs.sums.useful_min_ns);
  out->UInt(f::kTeamNs, runs.sums.team_ns);
  out->UInt(f::kEstimated, runs.sums.estimated);
}

void EncodeRegionStats(const RegionCounts& counts, uint32_t thread, Encoder* out) {
  namespace f = fields::region_stats;
  const auto load = [](const auto& counter) { return counter.load(std::memory_order_relaxed); };
  const RecordScope record(fields::record::kRegionStats, out);
  out->UInt(f::kThread, thread);
  out->UInt(f::kCodeptrRa, counts.key.codeptr_ra);
  out->UInt(f::kInvocations, load(counts.invocations));
  out->UInt(f::kElapsedNs, load(counts.elapsed_ns));
  out->UInt(f::kEnded, load(counts.ended));
  out->UInt(f::kRequestedMin, load(counts.requested_min));
  out->UInt(f::kRequestedMax, load(counts.requested_max));
  out->UInt(f::kActualSum, load(counts.actual_sum));
  out->UInt(f::kActualMin, load(counts.actual_min));
  out->UInt(f::kActualMax, load(counts.actual_max));
  out->UInt(f::kNestingLevel, counts.key.level);
  out->UInt(f::kElapsedMinNs, load(counts.elapsed_min_ns));
  out->UInt(f::kElapsedMaxNs, load(counts.elapsed_max_ns));
  out->UInt(f::kModuleEpoch, counts.key.epoch);
  out->UInt(f::kTeams, counts.key.league);
  out->UInt(f::kEndWaitNs, load(counts.end_wait_ns));
  out->UInt(f::kEndWaitPathNs, load(counts.end_wait_path_ns));
  out->UInt(f::kUsefulNs, load(counts.useful_ns));
  out->UInt(f::kUsefulMaxNs, load(counts.useful_max_ns));
  out->UInt(f::kUsefulMinNs, load(counts.useful_min_ns));
  out->UInt(f::kTeamNs, load(counts.team_ns));
  out->UInt(f::kPartialNs, load(counts.partial_ns));
  out->UInt(f::kSyncWaitNs, load(counts.sync_wait_ns));
  out->UInt(f::kOuterBlameNs, load(counts.outer_blame_ns));
  out->UInt(f::kUnblamedNs, load(counts.unblamed_ns));
  out->UInt(f::kEstimated, load(counts.estimated));
}

namespace {

// The buckets that have waits; the callbacks may add to them meanwhile.
void EncodeLengths(const WaitLengths& lengths, Encoder* out) {
  namespace f = fields::wait_stats;
  uint64_t counts[WaitLengths::kBuckets];
  uint32_t buckets[WaitLengths::kBuckets];
  uint32_t size = 0;
  for (uint32_t bucket = 0; bucket < WaitLengths::kBuckets; ++bucket) {
    counts[size] = lengths.counts[bucket].load(std::memory_order_relaxed);
    if (counts[size] != 0) buckets[size++] = bucket;
  }
  // From 1 on, so that no column is all zeros.
  Column(f::kLengthBucket, size, out,
         [&](uint32_t i) { return i == 0 ? buckets[0] + 1 : buckets[i] - buckets[i - 1]; });
  Column(f::kLengthCount, size, out, [&](uint32_t i) { return counts[i]; });
}

}  // namespace

void EncodeWaitStats(const WaitCounts& counts, uint32_t thread, double scale, Encoder* out) {
  namespace f = fields::wait_stats;
  const auto load = [](const auto& counter) { return counter.load(std::memory_order_relaxed); };
  const RecordScope record(fields::record::kWaitStats, out);
  out->UInt(f::kThread, thread);
  out->UInt(f::kState, StateToWire(counts.key.state));
  out->UInt(f::kCodeptrRa, counts.key.codeptr_ra);
  out->UInt(f::kRegionCodeptrRa, counts.key.region);
  out->UInt(f::kWaitId, counts.key.wait_id);
  out->UInt(f::kAcquiredAt, counts.key.acquired_at);
  out->UInt(f::kModuleEpoch, counts.key.epoch);
  // Locks have no count of estimated waits: most acquisitions wait for nothing.
  const double found =
      counts.key.wait_id != 0 ? scale * static_cast<double>(load(counts.stands_for)) / kWindowWeightOfOne : 0;
  out->UInt(f::kCount, load(counts.count) + load(counts.estimated_count) + static_cast<uint64_t>(found + 0.5));
  const uint64_t estimated = load(counts.estimated_ns);
  const auto scaled = static_cast<uint64_t>(scale * static_cast<double>(estimated));
  out->UInt(f::kTotalNs, load(counts.total_ns) - estimated + scaled);
  out->UInt(f::kMaxNs, load(counts.max_ns));
  out->UInt(f::kPathNs, load(counts.path_ns));
  out->UInt(f::kLastCount, load(counts.last_count));
  out->UInt(f::kLastByNs, load(counts.last_by_ns));
  out->UInt(f::kHeldCount, load(counts.held_count));
  out->UInt(f::kHeldNs, load(counts.held_ns));
  out->UInt(f::kLock, counts.key.lock);
  out->UInt(f::kEstimatedNs, scaled);
  const double variance = estimated != 0 ? EstimateVariance(counts, window_clock.windows()) : 0;
  out->UInt(f::kEstimatedVariance, static_cast<uint64_t>(scale * scale * variance));
  if (const WaitLengths* lengths = counts.lengths.load(std::memory_order_acquire)) EncodeLengths(*lengths, out);
}

void EncodeLockInit(const LockOrigin& lock, uint32_t id, uint32_t splice, Encoder* out) {
  namespace f = fields::lock_init;
  const RecordScope record(fields::record::kLockInit, out);
  out->UInt(f::kId, id);
  out->UInt(f::kWaitId, lock.wait_id);
  out->UInt(f::kKind, lock.kind);
  out->UInt(f::kCodeptrRa, lock.codeptr_ra);
  out->UInt(f::kModuleEpoch, lock.epoch);
  out->UInt(f::kTree, lock.tree);
  out->UInt(f::kNode, lock.node);
  out->UInt(f::kSplice, splice);
}

void EncodeLabel(const Label& label, uint32_t id, Encoder* out) {
  const RecordScope record(fields::record::kLabel, out);
  out->UInt(fields::label::kId, id);
  out->UInt(fields::label::kParent, label.parent);
  out->String(fields::label::kName, label.name);
}

void EncodeWorkStats(const WorkCounts& counts, uint32_t thread, Encoder* out) {
  namespace f = fields::work_stats;
  const auto load = [](const auto& counter) { return counter.load(std::memory_order_relaxed); };
  const RecordScope record(fields::record::kWorkStats, out);
  out->UInt(f::kThread, thread);
  out->UInt(f::kType, counts.key.type);
  out->UInt(f::kCodeptrRa, counts.key.codeptr_ra);
  out->UInt(f::kRegionCodeptrRa, counts.key.region);
  out->UInt(f::kModuleEpoch, counts.key.epoch);
  out->UInt(f::kCount, load(counts.count));
  out->UInt(f::kIterations, load(counts.iterations));
  out->UInt(f::kChunks, load(counts.chunks));
}

void EncodeDevice(const KnownDevice& device, uint32_t id, Encoder* out) {
  const RecordScope record(fields::record::kDevice, out);
  out->UInt(fields::device::kId, id);
  out->String(fields::device::kType, device.type);
}

void EncodeDeviceStats(const DeviceCounts& counts, uint32_t id, uint32_t splice, Encoder* out) {
  namespace f = fields::device_stats;
  const auto load = [](const auto& counter) { return counter.load(std::memory_order_relaxed); };
  const RecordScope record(fields::record::kDeviceStats, out);
  out->UInt(f::kDevice, counts.key.device + 1);
  out->UInt(f::kWork, counts.key.work);
  out->UInt(f::kCodeptrRa, counts.key.codeptr_ra);
  out->UInt(f::kRegionCodeptrRa, counts.key.region);
  out->UInt(f::kModuleEpoch, counts.key.epoch);
  out->UInt(f::kCount, load(counts.count));
  out->UInt(f::kBytes, load(counts.bytes));
  out->UInt(f::kHostNs, load(counts.host_ns));
  out->UInt(f::kLongestNs, load(counts.longest_ns));
  out->UInt(f::kWaitedNs, load(counts.waited_ns));
  out->UInt(f::kTraced, load(counts.traced));
  out->UInt(f::kTracedNs, load(counts.traced_ns));
  out->UInt(f::kTree, counts.key.path.tree);
  out->UInt(f::kNode, counts.key.path.node);
  out->UInt(f::kSplice, splice);
  out->UInt(f::kId, id);
  out->UInt(f::kChargedNs, load(counts.charged_ns));
}

void EncodeDeviceOperations(const TimedOperation* const* operations, uint32_t count, Encoder* out) {
  namespace f = fields::device_operations;
  const RecordScope record(fields::record::kDeviceOperations, out);
  out->UInt(f::kThread, operations[0]->thread);
  Column(f::kStats, count, out, [&](uint32_t i) { return operations[i]->stats; });
  DeltaColumn(f::kBeginDeltaNs, count, session.start_mono_ns, out, [&](uint32_t i) { return operations[i]->begin_ns; });
  Column(f::kDurationNs, count, out, [&](uint32_t i) { return operations[i]->duration_ns; });
  Column(f::kBytes, count, out, [&](uint32_t i) { return operations[i]->bytes; });
}

void EncodeRuntime(const RuntimeFacts& facts, uint32_t module, Encoder* out) {
  namespace f = fields::runtime;
  const RecordScope record(fields::record::kRuntime, out);
  out->String(f::kVersion, facts.version);
  out->UInt(f::kOmpVersion, facts.omp_version);
  const CallbackRegistration* registrations = Registrations(0);  // all runtimes have the same names
  for (uint32_t i = 0; i < kRegistrations; ++i) {
    const size_t begin = out->Begin(f::kCallbacks);
    out->String(fields::callback::kName, registrations[i].name);
    out->UInt(fields::callback::kEvent, registrations[i].event);
    out->UInt(fields::callback::kResult, static_cast<uint64_t>(facts.callback_results[i]));
    out->End(begin);
  }
  const auto enumerators = [&](uint32_t field, const RuntimeFacts::Enumerator* entries, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
      const size_t begin = out->Begin(field);
      out->String(fields::enumerator::kName, entries[i].name);
      out->UInt(fields::enumerator::kValue, static_cast<uint64_t>(entries[i].value));
      out->End(begin);
    }
  };
  enumerators(f::kStates, facts.states, facts.state_count);
  enumerators(f::kMutexImpls, facts.mutex_impls, facts.mutex_impl_count);
  for (uint32_t i = 0; i < facts.missing_count; ++i) out->StringEntry(f::kMissingEntryPoints, facts.missing[i]);
  out->UInt(f::kModule, module);
  if (facts.generation != nullptr) out->String(f::kOmptGeneration, facts.generation);
}

void EncodeGoverned(uint32_t event_class, uint64_t events, uint64_t unobserved, Encoder* out) {
  namespace f = fields::governed;
  const RecordScope record(fields::record::kGoverned, out);
  out->UInt(f::kEventClass, event_class);
  out->UInt(f::kEvents, events);
  out->UInt(f::kObserved, events > unobserved ? events - unobserved : 0);
}

void EncodeProcessorLoad(const ProcessorLoad::Reading& reading, Encoder* out) {
  namespace f = fields::processor_load;
  const RecordScope record(fields::record::kProcessorLoad, out);
  out->UInt(f::kUntilMonoNs, reading.until_mono_ns);
  out->UInt(f::kBusyNs, reading.times.busy_ns);
  out->UInt(f::kProcessCpuNs, reading.process_cpu_ns);
  out->UInt(f::kStolenNs, reading.times.stolen_ns);
  out->UInt(f::kOnlineCpus, reading.times.online);
}

void EncodeTopology(const Topology& topology, Encoder* out) {
  namespace f = fields::topology;
  const RecordScope record(fields::record::kTopology, out);
  const auto column = [&](uint32_t field, uint16_t Topology::Processor::*part) {
    Column(field, topology.count, out, [&](uint32_t i) { return topology.processors[i].*part; });
  };
  column(f::kProcessor, &Topology::Processor::number);
  column(f::kPackage, &Topology::Processor::package);
  column(f::kNode, &Topology::Processor::node);
  column(f::kCore, &Topology::Processor::core);
}

void EncodeLost(const LostTotals& lost, Encoder* out) {
  namespace f = fields::lost;
  const RecordScope record(fields::record::kLost, out);
  const uint32_t count = fields::kLostReasonCount - 1;
  Column(f::kReason, count, out, [&](uint32_t i) { return i + 1; });
  Column(f::kSamples, count, out, [&](uint32_t i) { return lost.samples[i + 1]; });
  Column(f::kWeight, count, out, [&](uint32_t i) { return lost.weight[i + 1]; });
}

void EncodeCodeMap(const char* text, size_t size, Encoder* out) {
  const RecordScope record(fields::record::kCodeMap, out);
  out->Bytes(fields::code_map::kText, text, size);
}

void EncodeCodeDump(uint32_t file, const char* path, const void* content, size_t size, Encoder* out) {
  namespace f = fields::code_dump;
  const RecordScope record(fields::record::kCodeDump, out);
  out->UInt(f::kFile, file);
  out->String(f::kPath, path);
  out->Bytes(f::kContent, content, size);
}

void EncodeNote(const Note& note, Encoder* out) {
  const RecordScope record(fields::record::kNote, out);
  out->UInt(fields::note::kMonoNs, note.mono_ns);
  out->String(fields::note::kText, note.text);
}

void EncodeEvents(const uint64_t* counts, Encoder* out) {
  const RecordScope record(fields::record::kEvents, out);
  Column(fields::event_counts::kEvent, kOmptEvents, out, [&](uint32_t i) { return i; });
  Column(fields::event_counts::kCount, kOmptEvents, out, [&](uint32_t i) { return counts[i]; });
}

void EncodeFooter(const FooterFacts& facts, Encoder* out) {
  namespace f = fields::footer;
  const RecordScope record(fields::record::kFooter, out);
  const uint64_t now = MonotonicNs();
  const WaitTotals waits = TotalsOfWaits(session.start_mono_ns, now);
  out->UInt(f::kEndMonoNs, now);
  out->UInt(f::kProcessCpuNs, ClockNs(CLOCK_PROCESS_CPUTIME_ID) - session.start_process_cpu_ns);
  out->String(f::kReason, facts.reason);
  out->UInt(f::kSamples, facts.samples);
  out->UInt(f::kWeight, facts.weight);
  out->UInt(f::kHelperCpuNs, facts.helper_cpu_ns);
  const int64_t handoff_ns = lock_table.handoff_ns() + static_cast<int64_t>(facts.lock_handoff_ns);
  out->UInt(f::kLockHandoffNs, handoff_ns > 0 ? static_cast<uint64_t>(handoff_ns) : 0);
  out->UInt(f::kParallelNs, waits.parallel_ns);
  out->UInt(f::kSerialNs, waits.serial_ns);
  out->UInt(f::kIdleNs, waits.idle_ns);
  out->UInt(f::kIdleUnblamedNs, waits.idle_unblamed_ns);
  out->UInt(f::kBlamePendingNs, waits.pending_ns + facts.blame_due_ns);
  out->UInt(f::kIntervalsLost, facts.intervals_lost);
  out->UInt(f::kLabelsRefused, facts.labels_refused);
  out->UInt(f::kSignalsNs, facts.signals_ns);
  out->UInt(f::kPeakResidentBytes, facts.peak_resident_bytes);
  out->UInt(f::kChildrenCpuNs, ChildrenCpuNs() - session.start_children_cpu_ns);
}

}  // namespace ompprof::collect
