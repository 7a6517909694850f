// Whole records from the collector's own structures, read back with libprotobuf. No record is larger than its room.
#include "profiler/collect/write/encoding/records.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "profiler/collect/sampling/source.h"
#include "profiler/collect/thread/session.h"
#include "proto/callpath_profile.pb.h"
#include "proto/ompt_state.h"

namespace ompprof::collect {
namespace {

SampleRow Row(uint32_t node, uint64_t weight, uint32_t samples, OmptState state = OmptState::kWorkParallel) {
  SampleRow row{};
  row.node = node;
  row.state = state;
  row.weight = weight;
  row.samples = samples;
  return row;
}

// A row whose sums take the most bytes. `number`: of its place.
SampleRow LargestRow(uint32_t number) {
  SampleRow row = Row(~0u, ~0ull, ~0u, StateFromWire(~0u));
  row.wait_id = ~0ull - number;
  row.splice = row.region = ~0u;
  row.wait = row.blame = row.lock_blame = ~0ull;
  return row;
}

// Likewise, of a full batch of half as many rows.
SampleRow LargestCountedRow(uint32_t number) {
  SampleRow row = LargestRow(number);
  row.phase = ~0u;
  row.wait_variance = row.blame_variance = row.lock_blame_variance = row.faults = row.kernel_us = ~0ull;
  return row;
}

class RecordsTest : public testing::Test {
 protected:
  Record Parse() {
    EXPECT_FALSE(out_.overflowed());
    EXPECT_LE(out_.size(), kMaxRecordBytes);
    Record record;
    EXPECT_TRUE(record.ParseFromArray(out_.data() + 3, static_cast<int>(out_.size() - 3)));
    const uint32_t length = (out_.data()[0] & 0x7f) | (out_.data()[1] & 0x7f) << 7 | out_.data()[2] << 14;
    EXPECT_EQ(length, out_.size() - 3);
    return record;
  }
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(1 << 20);
  Encoder out_{buffer_.data(), buffer_.size()};
};

TEST_F(RecordsTest, NodesKeepParentValueAndKind) {
  auto tree = std::make_unique<Tree>();
  tree->Init(3);
  const uint32_t root = tree->Child(0, MakeKey(0, fields::kNodeRoot));
  const uint32_t main = tree->Child(root, MakeKey(0x5555deadbeef, fields::kNodeFrame | fields::kNodeReturnAddress));
  tree->Child(main, MakeKey(0x7fffffffffff, fields::kNodeFrame | fields::kNodeRuntime));
  tree->Child(main, MakeKey(0x10, fields::kNodeFrame));
  EncodeNodes(*tree, 2, 3, &out_);
  const NodeBatch batch = Parse().nodes();
  EXPECT_EQ(batch.tree(), 3u);
  EXPECT_EQ(batch.first_id(), 2u);
  ASSERT_EQ(batch.parent_distance_size(), 3);
  EXPECT_EQ(batch.parent_distance(0), 1u);
  EXPECT_EQ(batch.parent_distance(2), 2u);
  uint64_t value = 0;
  std::vector<uint64_t> values;
  for (const int64_t delta : batch.value_delta()) values.push_back(value += static_cast<uint64_t>(delta));
  EXPECT_EQ(values, (std::vector<uint64_t>{0x5555deadbeef, 0x7fffffffffff, 0x10}));
  EXPECT_EQ(batch.kind(1), static_cast<uint32_t>(NODE_FRAME | NODE_RUNTIME));
  tree->Destroy();
}

TEST_F(RecordsTest, TheLargestBatchesFit) {
  auto tree = std::make_unique<Tree>();
  tree->Init(1);
  for (uint32_t i = 0; i < kMaxNodesPerBatch; ++i) {
    ASSERT_EQ(tree->Child(i == 0 ? 0 : 1, MakeKey(i % 2 == 0 ? 0xffffffffffffff - i : i + 1, 0xff)), i + 1);
  }
  EncodeNodes(*tree, 1, kMaxNodesPerBatch, &out_);
  EXPECT_EQ(Parse().nodes().kind_size(), static_cast<int>(kMaxNodesPerBatch));
  tree->Destroy();

  out_.Clear();
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  for (uint32_t i = 0; !batch->full(); ++i) batch->Add(LargestRow(i));
  // The largest differences.
  for (uint32_t i = 0; i < SampleBatch::kMaxTimed; ++i)
    batch->AddTimed({i, i % 2 == 0 ? ~0ull : 1ull << 62, i % 2 == 0 ? ~0ull : 1ull << 62});
  EncodeSamples(*batch, 1, 2, 3, &out_);
  EXPECT_EQ(Parse().samples().node_size(), static_cast<int>(SampleBatch::kMaxRows));
}

TEST_F(RecordsTest, TheLargestBatchWithCountsFits) {
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear(kMostCountedEvents);
  while (!batch->full()) {
    batch->AddCounts(batch->Add(LargestCountedRow(batch->size())), {{~0ull, ~0ull, ~0ull, ~0ull}});
  }
  for (uint32_t i = 0; i < SampleBatch::kMaxTimed; ++i)
    batch->AddTimed({0, i % 2 == 0 ? ~0ull : 1ull << 62, i % 2 == 0 ? ~0ull : 1ull << 62});
  EncodeSamples(*batch, 1, 2, 3, &out_);
  const auto samples = Parse().samples();
  EXPECT_EQ(samples.counts_size(), samples.node_size() * static_cast<int>(kMostCountedEvents));
  EXPECT_EQ(samples.counts(samples.counts_size() - 1), ~0ull);
}

// A row has the counts of all its samples; rows without counts have zeros.
TEST_F(RecordsTest, CountsAreRowsOfTheirColumn) {
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear(3);
  const SampleRow first = Row(5, 100, 1);
  batch->AddCounts(batch->Add(first), {{1, 20, 300, 0}});
  batch->Add(Row(6, 100, 1));
  batch->AddCounts(batch->Add(Row(7, 100, 1)), {{0, 0, 9, 0}});
  batch->AddCounts(batch->Add(first), {{1, 20, 300, 0}});
  EncodeSamples(*batch, 1, 2, 3, &out_);
  const auto samples = Parse().samples();
  EXPECT_EQ(std::vector<uint64_t>(samples.counts().begin(), samples.counts().end()),
            (std::vector<uint64_t>{2, 40, 600, 0, 0, 0, 0, 0, 9}));

  out_.Clear();
  batch->Clear(3);
  batch->Add(first);
  EncodeSamples(*batch, 1, 2, 3, &out_);
  EXPECT_EQ(Parse().samples().counts_size(), 0) << "nothing was counted";
}

TEST_F(RecordsTest, SamplesInOnePlaceAreAddedUp) {
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  batch->Add(Row(5, 100, 1));
  SampleRow more = Row(5, 50, 2);
  more.faults = 7;
  more.kernel_us = 300;
  more.ready_blame = 11;
  more.off_processor_blame = 13;
  batch->Add(more);
  batch->Add(more);
  batch->Add(Row(5, 7, 1, OmptState::kWorkReduction));
  SampleRow of_another_wait = Row(5, 8, 1);
  of_another_wait.wait_id = 0xabc;
  batch->Add(of_another_wait);
  SampleRow of_another_region = Row(5, 9, 1);
  of_another_region.splice = of_another_region.region = 4;
  batch->Add(of_another_region);
  EncodeSamples(*batch, 1, 2, 3, &out_);
  const auto samples = Parse().samples();
  ASSERT_EQ(samples.node_size(), 4);
  EXPECT_EQ(samples.weight(0), 200u);
  EXPECT_EQ(samples.samples(0), 5u);
  EXPECT_EQ(samples.faults(0), 14u);
  EXPECT_EQ(samples.kernel_us(0), 600u);
  EXPECT_EQ(samples.ready_blame(0), 22u);
  EXPECT_EQ(samples.off_processor_blame(0), 26u);
  EXPECT_EQ(samples.wait_id(2), 0xabcu);
  EXPECT_EQ(samples.region(3), 4u);
  EXPECT_EQ(samples.splice(3), 4u);
}

// In a file a state is its number + 1, and 0 for none. Each of these states is encoded in a sample and in a wait.
TEST_F(RecordsTest, States) {
  constexpr auto kLarge = static_cast<OmptState>(0xfffffffe);
  constexpr std::pair<OmptState, uint32_t> kStates[] = {
      {OmptState::kNone, 0}, {OmptState::kWorkSerial, 1}, {OmptState::kIdle, 0x101}, {kLarge, 0xffffffff}};
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  for (const auto& [state, wire] : kStates) batch->Add(Row(5, 100, 1, state));
  EncodeSamples(*batch, 1, 2, 3, &out_);
  const auto samples = Parse().samples();
  ASSERT_EQ(samples.state_size(), 4);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(samples.state(i), kStates[i].second);

  for (const auto& [state, wire] : kStates) {
    out_.Clear();
    WaitCounts counts{};
    counts.key.state = state;
    EncodeWaitStats(counts, 3, 1, &out_);
    EXPECT_EQ(Parse().wait_stats().state(), wire);
  }
}

// A batch whose samples have no state lacks the columns of states, like columns of zeros.
TEST_F(RecordsTest, NoStateTakesNoRoom) {
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  batch->Add(Row(5, 100, 1, OmptState::kNone));
  EncodeSamples(*batch, 1, 2, 3, &out_);
  EXPECT_EQ(Parse().samples().state_size(), 0);
}

TEST_F(RecordsTest, TimesOfSamplesAndOfWaits) {
  auto batch = std::make_unique<SampleBatch>();
  batch->Clear();
  SampleRow wait = Row(5, 0, 0);
  wait.interval = true;
  const uint64_t period = 5025125;
  for (const uint64_t end_us : {5025, 10050, 15075}) batch->AddTimed({batch->Add(Row(5, period, 1)), end_us, period});
  batch->AddTimed({batch->Add(wait), 14000, 9000000});
  EncodeSamples(*batch, 1, 2, 3, &out_);
  const auto samples = Parse().samples();
  ASSERT_EQ(samples.samples_size(), 2);
  EXPECT_EQ(samples.samples(0), 3u);
  EXPECT_EQ(samples.samples(1), 0u);
  const auto columns = [](const auto& column) { return std::vector<int64_t>(column.begin(), column.end()); };
  EXPECT_EQ(columns(samples.timed_row()), (std::vector<int64_t>{0, 0, 0, 1}));
  EXPECT_EQ(columns(samples.timed_end_delta_us()), (std::vector<int64_t>{5025, 5025, 5025, -1075}));
  EXPECT_EQ(columns(samples.timed_weight_delta()), (std::vector<int64_t>{5025125, 0, 0, 9000000 - 5025125}));
}

TEST_F(RecordsTest, HeaderSaysWhatEventsMayCost) {
  Source source = kOnCpuTimer;
  session.source = &source;
  session.config.max_overhead_permille = 5;
  const auto facts = std::make_unique<ProgramFacts>();
  EncodeHeader(*facts, &out_);
  EXPECT_EQ(Parse().header().max_overhead_permille(), 5u);
  session.config.max_overhead_permille = 0;
  out_.Clear();
  EncodeHeader(*facts, &out_);
  EXPECT_EQ(Parse().header().max_overhead_permille(), 0u);
  session.config = Config();
  session.source = nullptr;
}

TEST_F(RecordsTest, HeaderSaysWhenSamplingBegins) {
  Source source = kOnCpuTimer;
  session.source = &source;
  const auto facts = std::make_unique<ProgramFacts>();
  EncodeHeader(*facts, &out_);
  EXPECT_FALSE(Parse().header().paused());
  EXPECT_EQ(Parse().header().delay_ns(), 0u);
  session.config.paused = true;
  session.config.delay_ns = 2500000000;
  out_.Clear();
  EncodeHeader(*facts, &out_);
  EXPECT_TRUE(Parse().header().paused());
  EXPECT_EQ(Parse().header().delay_ns(), 2500000000u);
  session.config = Config();
  session.source = nullptr;
}

TEST(RunDelay, IsTheSecondOfThreeNumbers) {
  uint64_t delay = 0;
  EXPECT_TRUE(ParseRunDelay("2058713 61144 17\n", &delay));
  EXPECT_EQ(delay, 61144u);
  EXPECT_TRUE(ParseRunDelay("0 18446744073709551615 1", &delay));
  EXPECT_EQ(delay, UINT64_MAX);
  for (const char* text : {"", "\n", "12", "12 ", "12 34", "x 1 2", "12 x 3", "12\t34 5"}) {
    EXPECT_FALSE(ParseRunDelay(text, &delay)) << text;
  }
}

TEST_F(RecordsTest, LostByReason) {
  LostTotals lost{};
  lost.samples[fields::kLostRingFull] = 4;
  lost.weight[fields::kLostRingFull] = 400;
  EncodeLost(lost, &out_);
  const auto record = Parse().lost();
  ASSERT_EQ(record.reason_size(), LOST_WRITE);
  EXPECT_EQ(record.reason(1), static_cast<uint32_t>(LOST_RING_FULL));
  EXPECT_EQ(record.samples(1), 4u);
  EXPECT_EQ(record.weight(1), 400u);
}

TEST_F(RecordsTest, LocksAndWaitsForThem) {
  LockOrigin lock{};
  lock.wait_id = 0x7f0000001000;
  lock.codeptr_ra = 0x401234;
  lock.kind = 3;
  lock.epoch = 2;
  lock.tree = 4;
  lock.node = 55;
  EncodeLockInit(lock, 6, 7, &out_);
  const auto made = Parse().lock_init();
  EXPECT_EQ(made.id(), 6u);
  EXPECT_EQ(made.wait_id(), 0x7f0000001000u);
  EXPECT_EQ(made.kind(), 3u);
  EXPECT_EQ(made.codeptr_ra(), 0x401234u);
  EXPECT_EQ(made.module_epoch(), 2u);
  EXPECT_EQ(made.tree(), 4u);
  EXPECT_EQ(made.node(), 55u);
  EXPECT_EQ(made.splice(), 7u);

  out_.Clear();
  WaitCounts counts{};
  counts.key.wait_id = 0x7f0000001000;
  counts.key.lock = 6;
  counts.total_ns.store(1000);
  EncodeWaitStats(counts, 3, 1, &out_);
  const auto waits = Parse().wait_stats();
  EXPECT_EQ(waits.thread(), 3u);
  EXPECT_EQ(waits.lock(), 6u);
  EXPECT_EQ(waits.total_ns(), 1000u);
  EXPECT_EQ(waits.length_bucket_size(), 0);
}

TEST_F(RecordsTest, LengthsOfWaitsAreThoseThatThereAre) {
  const auto lengths = std::make_unique<WaitLengths>();
  WaitCounts counts{};
  counts.lengths.store(lengths.get());
  lengths->Add(10, 3);
  EncodeWaitStats(counts, 3, 1, &out_);
  EXPECT_EQ(Parse().wait_stats().length_bucket(0), 1u);
  EXPECT_EQ(Parse().wait_stats().length_count(0), 3u);

  out_.Clear();
  lengths->Add(64, 1);
  lengths->Add(1000000, uint64_t{1} << 40);
  EncodeWaitStats(counts, 3, 1, &out_);
  const auto some = Parse().wait_stats();
  EXPECT_EQ(std::vector<uint32_t>(some.length_bucket().begin(), some.length_bucket().end()),
            (std::vector<uint32_t>{1, 1, WaitLengths::BucketOf(1000000) - 1}));
  EXPECT_EQ(std::vector<uint64_t>(some.length_count().begin(), some.length_count().end()),
            (std::vector<uint64_t>{3, 1, uint64_t{1} << 40}));

  out_.Clear();
  for (auto& count : lengths->counts) count.store(UINT64_MAX);
  EncodeWaitStats(counts, 3, 1, &out_);
  EXPECT_EQ(Parse().wait_stats().length_bucket_size(), static_cast<int>(WaitLengths::kBuckets));
}

TEST_F(RecordsTest, ContextStatsAndModule) {
  EncodeContext({9, 0x1234, true, 2, 77, 3, 16, 1}, &out_);
  const auto context = Parse().region_context();
  EXPECT_EQ(context.id(), 9u);
  EXPECT_TRUE(context.resolved());
  EXPECT_EQ(context.node(), 77u);
  EXPECT_EQ(context.splice(), 3u);
  EXPECT_EQ(context.parent(), 1u);

  out_.Clear();
  EncodeRegionRuns({9, 4, 1234567890123, {11, 12, 13, 14, 15, 3}}, &out_);
  const auto runs = Parse().region_runs();
  EXPECT_EQ(runs.context(), 9u);
  EXPECT_EQ(runs.ended(), 4u);
  EXPECT_EQ(runs.elapsed_ns(), 1234567890123u);
  EXPECT_EQ(runs.end_wait_ns(), 11u);
  EXPECT_EQ(runs.useful_ns(), 12u);
  EXPECT_EQ(runs.useful_max_ns(), 13u);
  EXPECT_EQ(runs.useful_min_ns(), 14u);
  EXPECT_EQ(runs.team_ns(), 15u);
  EXPECT_EQ(runs.estimated(), 3u);

  out_.Clear();
  RegionCounts counts{};
  counts.key.codeptr_ra = 0x99;
  counts.invocations.store(5);
  counts.elapsed_ns.store(1000);
  counts.actual_max.store(8);
  EncodeRegionStats(counts, 3, &out_);
  const auto stats = Parse().region_stats();
  EXPECT_EQ(stats.thread(), 3u);
  EXPECT_EQ(stats.invocations(), 5u);
  EXPECT_EQ(stats.actual_max(), 8u);

  out_.Clear();
  auto module = std::make_unique<Module>();
  module->id = 4;
  strcpy(module->path, "/usr/lib/libx.so");
  module->build_id_size = 3;
  memcpy(module->build_id, "\x01\x00\x02", 3);
  module->segment_count = 1;
  module->segments[0] = {0x1000, 0x2000, 0x800, 5};
  EncodeModule(*module, &out_);
  const auto parsed = Parse().module();
  EXPECT_EQ(parsed.build_id(), std::string("\x01\x00\x02", 3));
  EXPECT_EQ(parsed.segments(0).offset(), 0x800u);
}

}  // namespace
}  // namespace ompprof::collect
