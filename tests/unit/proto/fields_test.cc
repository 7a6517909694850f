// The collector's field numbers are those of the .proto: every field of every message, by name.
#include "proto/callpath_profile_fields.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "proto/callpath_profile.pb.h"

namespace ompprof {
namespace {

using Fields = std::map<std::string, uint32_t>;

void ExpectFields(const google::protobuf::Descriptor* message, const Fields& fields) {
  EXPECT_EQ(static_cast<size_t>(message->field_count()), fields.size()) << message->name();
  for (const auto& [name, number] : fields) {
    const auto* field = message->FindFieldByName(name);
    ASSERT_NE(field, nullptr) << message->name() << "." << name;
    EXPECT_EQ(static_cast<uint32_t>(field->number()), number) << message->name() << "." << name;
  }
}

TEST(Fields, Record) {
  namespace f = fields::record;
  ExpectFields(Record::descriptor(), {{"header", f::kHeader},
                                      {"module", f::kModule},
                                      {"thread", f::kThread},
                                      {"nodes", f::kNodes},
                                      {"samples", f::kSamples},
                                      {"region_context", f::kRegionContext},
                                      {"region_stats", f::kRegionStats},
                                      {"runtime", f::kRuntime},
                                      {"lost", f::kLost},
                                      {"note", f::kNote},
                                      {"footer", f::kFooter},
                                      {"events", f::kEvents},
                                      {"wait_stats", f::kWaitStats},
                                      {"work_stats", f::kWorkStats},
                                      {"lock_init", f::kLockInit},
                                      {"label", f::kLabel},
                                      {"region_runs", f::kRegionRuns},
                                      {"governed", f::kGoverned}});
}

TEST(Fields, Header) {
  namespace f = fields::header;
  ExpectFields(Header::descriptor(), {{"format_version", f::kFormatVersion},
                                      {"program", f::kProgram},
                                      {"argv", f::kArgv},
                                      {"host", f::kHost},
                                      {"pid", f::kPid},
                                      {"parent_pid", f::kParentPid},
                                      {"start_unix_ns", f::kStartUnixNs},
                                      {"start_mono_ns", f::kStartMonoNs},
                                      {"clock", f::kClock},
                                      {"source", f::kSource},
                                      {"weight_unit", f::kWeightUnit},
                                      {"period", f::kPeriod},
                                      {"frequency", f::kFrequency},
                                      {"unwinder", f::kUnwinder},
                                      {"task_context", f::kTaskContext},
                                      {"rank", f::kRank},
                                      {"collector_version", f::kCollectorVersion},
                                      {"cpus", f::kCpus},
                                      {"tick_ns", f::kTickNs},
                                      {"cpu_quota_milli", f::kCpuQuotaMilli},
                                      {"sockets", f::kSockets},
                                      {"settings", f::kSettings},
                                      {"no_waits", f::kNoWaits},
                                      {"timeline", f::kTimeline},
                                      {"max_overhead_permille", f::kMaxOverheadPermille}});
}

TEST(Fields, ModuleAndThread) {
  ExpectFields(Module::descriptor(), {{"id", fields::module::kId},
                                      {"path", fields::module::kPath},
                                      {"build_id", fields::module::kBuildId},
                                      {"load_bias", fields::module::kLoadBias},
                                      {"segments", fields::module::kSegments},
                                      {"loaded_epoch", fields::module::kLoadedEpoch},
                                      {"unloaded_epoch", fields::module::kUnloadedEpoch},
                                      {"openmp_runtime", fields::module::kOpenmpRuntime},
                                      {"profilers_own", fields::module::kProfilersOwn}});
  ExpectFields(Segment::descriptor(), {{"vaddr", fields::segment::kVaddr},
                                       {"memsz", fields::segment::kMemsz},
                                       {"offset", fields::segment::kOffset},
                                       {"flags", fields::segment::kFlags}});
  namespace f = fields::thread;
  ExpectFields(Thread::descriptor(), {{"id", f::kId},
                                      {"tid", f::kTid},
                                      {"name", f::kName},
                                      {"kind", f::kKind},
                                      {"start_mono_ns", f::kStartMonoNs},
                                      {"end_mono_ns", f::kEndMonoNs},
                                      {"cpu_ns", f::kCpuNs},
                                      {"sampled", f::kSampled},
                                      {"socket_moves", f::kSocketMoves}});
  EXPECT_EQ(static_cast<int>(f::kKindInitial), Thread::INITIAL);
  EXPECT_EQ(static_cast<int>(f::kKindWorker), Thread::WORKER);
  EXPECT_EQ(static_cast<int>(f::kKindOther), Thread::OTHER);
  EXPECT_EQ(static_cast<int>(f::kKindMain), Thread::MAIN);
}

TEST(Fields, Batches) {
  ExpectFields(NodeBatch::descriptor(), {{"tree", fields::node_batch::kTree},
                                         {"first_id", fields::node_batch::kFirstId},
                                         {"parent_distance", fields::node_batch::kParentDistance},
                                         {"value_delta", fields::node_batch::kValueDelta},
                                         {"kind", fields::node_batch::kKind}});
  namespace f = fields::sample_batch;
  ExpectFields(SampleBatch::descriptor(), {{"tree", f::kTree},
                                           {"thread", f::kThread},
                                           {"end_mono_ns", f::kEndMonoNs},
                                           {"node", f::kNode},
                                           {"state", f::kState},
                                           {"wait_id", f::kWaitId},
                                           {"splice", f::kSplice},
                                           {"region", f::kRegion},
                                           {"samples", f::kSamples},
                                           {"weight", f::kWeight},
                                           {"wait", f::kWait},
                                           {"blame", f::kBlame},
                                           {"lock_blame", f::kLockBlame},
                                           {"timed_row", f::kTimedRow},
                                           {"timed_end_delta_us", f::kTimedEndDeltaUs},
                                           {"timed_weight_delta", f::kTimedWeightDelta},
                                           {"phase", f::kPhase},
                                           {"wait_variance", f::kWaitVariance},
                                           {"blame_variance", f::kBlameVariance},
                                           {"lock_blame_variance", f::kLockBlameVariance}});
}

TEST(Fields, Governed) {
  namespace g = fields::governed;
  ExpectFields(Governed::descriptor(),
               {{"event_class", g::kEventClass}, {"events", g::kEvents}, {"observed", g::kObserved}});
  EXPECT_EQ(EventClass_MAX + 1, static_cast<int>(fields::kClasses));
}

TEST(Fields, RegionRuns) {
  namespace r = fields::region_runs;
  ExpectFields(RegionRuns::descriptor(), {{"context", r::kContext},
                                          {"ended", r::kEnded},
                                          {"elapsed_ns", r::kElapsedNs},
                                          {"end_wait_ns", r::kEndWaitNs},
                                          {"useful_ns", r::kUsefulNs},
                                          {"useful_max_ns", r::kUsefulMaxNs},
                                          {"useful_min_ns", r::kUsefulMinNs},
                                          {"team_ns", r::kTeamNs},
                                          {"estimated", r::kEstimated}});
}

TEST(Fields, Regions) {
  namespace c = fields::region_context;
  ExpectFields(RegionContext::descriptor(), {{"id", c::kId},
                                             {"codeptr_ra", c::kCodeptrRa},
                                             {"resolved", c::kResolved},
                                             {"tree", c::kTree},
                                             {"node", c::kNode},
                                             {"splice", c::kSplice},
                                             {"requested_team_size", c::kRequestedTeamSize},
                                             {"parent", c::kParent}});
  namespace s = fields::region_stats;
  ExpectFields(RegionStats::descriptor(), {{"thread", s::kThread},
                                           {"codeptr_ra", s::kCodeptrRa},
                                           {"invocations", s::kInvocations},
                                           {"elapsed_ns", s::kElapsedNs},
                                           {"ended", s::kEnded},
                                           {"requested_min", s::kRequestedMin},
                                           {"requested_max", s::kRequestedMax},
                                           {"actual_sum", s::kActualSum},
                                           {"actual_min", s::kActualMin},
                                           {"actual_max", s::kActualMax},
                                           {"nesting_level", s::kNestingLevel},
                                           {"elapsed_min_ns", s::kElapsedMinNs},
                                           {"elapsed_max_ns", s::kElapsedMaxNs},
                                           {"module_epoch", s::kModuleEpoch},
                                           {"teams", s::kTeams},
                                           {"end_wait_ns", s::kEndWaitNs},
                                           {"end_wait_path_ns", s::kEndWaitPathNs},
                                           {"useful_ns", s::kUsefulNs},
                                           {"useful_max_ns", s::kUsefulMaxNs},
                                           {"useful_min_ns", s::kUsefulMinNs},
                                           {"team_ns", s::kTeamNs},
                                           {"partial_ns", s::kPartialNs},
                                           {"sync_wait_ns", s::kSyncWaitNs},
                                           {"outer_blame_ns", s::kOuterBlameNs},
                                           {"unblamed_ns", s::kUnblamedNs},
                                           {"estimated", s::kEstimated}});
  namespace w = fields::wait_stats;
  ExpectFields(WaitStats::descriptor(), {{"thread", w::kThread},
                                         {"state", w::kState},
                                         {"codeptr_ra", w::kCodeptrRa},
                                         {"region_codeptr_ra", w::kRegionCodeptrRa},
                                         {"wait_id", w::kWaitId},
                                         {"acquired_at", w::kAcquiredAt},
                                         {"module_epoch", w::kModuleEpoch},
                                         {"count", w::kCount},
                                         {"total_ns", w::kTotalNs},
                                         {"max_ns", w::kMaxNs},
                                         {"path_ns", w::kPathNs},
                                         {"last_count", w::kLastCount},
                                         {"last_by_ns", w::kLastByNs},
                                         {"held_count", w::kHeldCount},
                                         {"held_ns", w::kHeldNs},
                                         {"lock", w::kLock},
                                         {"estimated_ns", w::kEstimatedNs},
                                         {"estimated_variance", w::kEstimatedVariance}});
  namespace k = fields::work_stats;
  ExpectFields(WorkStats::descriptor(), {{"thread", k::kThread},
                                         {"type", k::kType},
                                         {"codeptr_ra", k::kCodeptrRa},
                                         {"region_codeptr_ra", k::kRegionCodeptrRa},
                                         {"module_epoch", k::kModuleEpoch},
                                         {"count", k::kCount},
                                         {"iterations", k::kIterations},
                                         {"chunks", k::kChunks}});
  namespace l = fields::lock_init;
  ExpectFields(LockInit::descriptor(), {{"id", l::kId},
                                        {"wait_id", l::kWaitId},
                                        {"kind", l::kKind},
                                        {"codeptr_ra", l::kCodeptrRa},
                                        {"module_epoch", l::kModuleEpoch},
                                        {"tree", l::kTree},
                                        {"node", l::kNode},
                                        {"splice", l::kSplice}});
}

TEST(Fields, Label) {
  namespace l = fields::label;
  ExpectFields(Label::descriptor(), {{"id", l::kId}, {"parent", l::kParent}, {"name", l::kName}});
}

TEST(Fields, RuntimeAndTheRest) {
  namespace f = fields::runtime;
  ExpectFields(Runtime::descriptor(), {{"version", f::kVersion},
                                       {"omp_version", f::kOmpVersion},
                                       {"callbacks", f::kCallbacks},
                                       {"states", f::kStates},
                                       {"mutex_impls", f::kMutexImpls},
                                       {"missing_entry_points", f::kMissingEntryPoints},
                                       {"module", f::kModule}});
  ExpectFields(
      Runtime::Callback::descriptor(),
      {{"name", fields::callback::kName}, {"event", fields::callback::kEvent}, {"result", fields::callback::kResult}});
  ExpectFields(Runtime::Enumerator::descriptor(),
               {{"name", fields::enumerator::kName}, {"value", fields::enumerator::kValue}});
  ExpectFields(
      Lost::descriptor(),
      {{"reason", fields::lost::kReason}, {"samples", fields::lost::kSamples}, {"weight", fields::lost::kWeight}});
  ExpectFields(Note::descriptor(), {{"mono_ns", fields::note::kMonoNs}, {"text", fields::note::kText}});
  ExpectFields(EventCounts::descriptor(), {{"event", fields::events::kEvent}, {"count", fields::events::kCount}});
  namespace e = fields::footer;
  ExpectFields(Footer::descriptor(), {{"end_mono_ns", e::kEndMonoNs},
                                      {"process_cpu_ns", e::kProcessCpuNs},
                                      {"reason", e::kReason},
                                      {"samples", e::kSamples},
                                      {"weight", e::kWeight},
                                      {"helper_cpu_ns", e::kHelperCpuNs},
                                      {"lock_handoff_ns", e::kLockHandoffNs},
                                      {"parallel_ns", e::kParallelNs},
                                      {"serial_ns", e::kSerialNs},
                                      {"idle_ns", e::kIdleNs},
                                      {"idle_unblamed_ns", e::kIdleUnblamedNs},
                                      {"blame_pending_ns", e::kBlamePendingNs},
                                      {"intervals_lost", e::kIntervalsLost},
                                      {"labels_refused", e::kLabelsRefused}});
}

TEST(Fields, Enumerators) {
  EXPECT_EQ(static_cast<int>(fields::kNodeRoot), NODE_ROOT);
  EXPECT_EQ(static_cast<int>(fields::kNodeFrame), NODE_FRAME);
  EXPECT_EQ(static_cast<int>(fields::kNodeImplicitTask), NODE_IMPLICIT_TASK);
  EXPECT_EQ(static_cast<int>(fields::kNodeExplicitTask), NODE_EXPLICIT_TASK);
  EXPECT_EQ(static_cast<int>(fields::kNodeTaskContext), NODE_TASK_CONTEXT);
  EXPECT_EQ(static_cast<int>(fields::kNodeCut), NODE_CUT);
  EXPECT_EQ(static_cast<int>(fields::kNodeBroken), NODE_BROKEN);
  EXPECT_EQ(static_cast<int>(fields::kNodeInitialTask), NODE_INITIAL_TASK);
  EXPECT_EQ(static_cast<int>(fields::kNodeRuntime), NODE_RUNTIME);
  EXPECT_EQ(static_cast<int>(fields::kNodeReturnAddress), NODE_RETURN_ADDRESS);
  EXPECT_EQ(static_cast<int>(fields::kLostTreeFull), LOST_TREE_FULL);
  EXPECT_EQ(static_cast<int>(fields::kLostRingFull), LOST_RING_FULL);
  EXPECT_EQ(static_cast<int>(fields::kLostBusy), LOST_BUSY);
  EXPECT_EQ(static_cast<int>(fields::kLostNotAttached), LOST_NOT_ATTACHED);
  EXPECT_EQ(static_cast<int>(fields::kLostNoTimer), LOST_NO_TIMER);
  EXPECT_EQ(static_cast<int>(fields::kLostWrite), LOST_WRITE);
  EXPECT_EQ(fields::kFormatVersion, static_cast<uint32_t>(FORMAT_CURRENT));
}

}  // namespace
}  // namespace ompprof
