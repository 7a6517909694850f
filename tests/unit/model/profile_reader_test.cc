// From records to a profile: the kept data, and the sentence for each possible fault.
#include "profiler/model/profile_reader.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

using test::ProfileBuilder;

TEST(ProfileReader, NodesAcrossBatches) {
  ProfileBuilder builder;
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT, 3);
  const uint32_t frame = builder.AddNode(1, root, NODE_FRAME | NODE_RUNTIME | NODE_RETURN_ADDRESS, 0xffffffffff600000);
  const uint32_t task = builder.AddNode(1, frame, NODE_IMPLICIT_TASK);
  const uint32_t body = builder.AddNode(1, task, NODE_FRAME, 0x1000);
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  const ProcessProfile& profile = read.profile;
  EXPECT_EQ(profile.FindNode(1, frame)->value, 0xffffffffff600000u);
  EXPECT_TRUE(profile.FindNode(1, frame)->runtime);
  EXPECT_TRUE(profile.FindNode(1, frame)->return_address);
  EXPECT_FALSE(profile.FindNode(1, frame)->in_implicit_task);
  EXPECT_TRUE(profile.FindNode(1, body)->in_implicit_task);
  EXPECT_EQ(profile.FindNode(1, body)->parent, task);
  EXPECT_EQ(profile.Epoch(1, body), 3u);
  EXPECT_EQ(profile.FindNode(1, 5), nullptr);
  EXPECT_EQ(profile.FindNode(2, 1), nullptr);
}

TEST(ProfileReader, DeltasWithinABatch) {
  ProfileBuilder builder;
  Record record;
  NodeBatch* nodes = record.mutable_nodes();
  nodes->set_tree(7);
  nodes->set_first_id(1);
  for (const int64_t delta : {100, -40, 5}) nodes->add_value_delta(delta);
  for (const uint32_t distance : {0, 1, 1}) nodes->add_parent_distance(distance);
  for (const uint32_t kind : {1, 2, 2}) nodes->add_kind(kind);
  builder.Append(record);
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok());
  EXPECT_EQ(read.profile.FindNode(7, 2)->value, 60u);
  EXPECT_EQ(read.profile.FindNode(7, 3)->value, 65u);
}

TEST(ProfileReader, LikeSamplesAreAdded) {
  ProfileBuilder builder;
  builder.AddSample({.node = 1, .samples = 2, .weight = 20});
  builder.AddSample({.node = 2, .samples = 1, .weight = 10});
  builder.AddSample({.node = 1, .samples = 3, .weight = 30});
  const ReadResult read = test::Read(builder);
  ASSERT_EQ(read.profile.samples.size(), 2u);
  EXPECT_EQ(read.profile.samples[0].cost.samples, 5u);
  EXPECT_EQ(read.profile.samples[0].cost.weight, 50u);
}

// In a file a state is its number + 1, and 0 for none.
TEST(ProfileReader, States) {
  constexpr std::pair<uint32_t, OmptState> kStates[] = {
      {0, OmptState::kNone},
      {1, OmptState::kWorkSerial},
      {0x101, OmptState::kIdle},
      {0xffffffff, static_cast<OmptState>(0xfffffffe)},
  };
  ProfileBuilder builder;
  Record samples;
  for (const auto& [wire, state] : kStates) {
    samples.mutable_samples()->add_state(wire);
    samples.mutable_samples()->add_samples(1);
    Record wait;
    wait.mutable_wait_stats()->set_thread(1);
    wait.mutable_wait_stats()->set_state(wire);
    builder.Append(wait);
  }
  builder.Append(samples);
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  std::set<OmptState> of_samples;
  for (const SampleRow& row : read.profile.samples) of_samples.insert(row.state);
  ASSERT_EQ(read.profile.waits.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(of_samples.count(kStates[i].second), 1u) << i;
    EXPECT_EQ(StateOf(read.profile.waits[i]), kStates[i].second) << i;
  }
  EXPECT_EQ(of_samples.size(), 4u);
}

// Files in which no sample has a state lack the column.
TEST(ProfileReader, NoColumnOfStates) {
  ProfileBuilder builder;
  Record samples;
  samples.mutable_samples()->add_samples(3);
  builder.Append(samples);
  const ReadResult read = test::Read(builder);
  ASSERT_EQ(read.profile.samples.size(), 1u);
  EXPECT_EQ(read.profile.samples[0].state, OmptState::kNone);
}

// A profile whose header has `events`, with a batch of two rows that has these counts.
ReadResult ReadCounts(const std::vector<std::string>& events, const std::vector<uint64_t>& counts) {
  Record header;
  header.mutable_header()->set_format_version(FORMAT_CURRENT);
  for (const std::string& event : events) header.mutable_header()->add_counted_events(event);
  ProfileBuilder builder(header);
  Record record;
  for (const uint32_t samples : {3, 1}) {
    record.mutable_samples()->add_node(samples);
    record.mutable_samples()->add_samples(samples);
  }
  for (const uint64_t count : counts) record.mutable_samples()->add_counts(count);
  builder.Append(record);
  builder.Append(record);
  return test::Read(builder);
}

TEST(ProfileReader, Counts) {
  const ReadResult read = ReadCounts({"cycles", "instructions"}, {1, 2, 30, 40});
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  ASSERT_EQ(read.profile.samples.size(), 2u);
  EXPECT_EQ(read.profile.samples[0].cost.counts, (Counts{60, 80, 0, 0})) << "node 1 comes first";
  EXPECT_EQ(read.profile.samples[1].cost.counts, (Counts{2, 4, 0, 0}));
  EXPECT_EQ(ReadCounts({"cycles"}, {}).profile.samples[0].cost.counts, Counts{});
}

// A newer collector may count more events. The first ones are read.
TEST(ProfileReader, MoreCountsThanItHasRoomFor) {
  const ReadResult read = ReadCounts({"a", "b", "c", "d", "e"}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  EXPECT_EQ(read.profile.samples[1].cost.counts, (Counts{2, 4, 6, 8}));
}

TEST(ProfileReader, CountsThatDoNotFitTheRows) {
  for (const ReadResult& read :
       {ReadCounts({"cycles", "instructions"}, {1, 2, 3}), ReadCounts({"cycles"}, {1}), ReadCounts({}, {1, 2})})
    EXPECT_TRUE(read.profile.samples.empty());
}

// A batch of two rows with these columns of times. The second row is a stretch of waiting.
ReadResult ReadTimes(const std::vector<uint32_t>& rows, const std::vector<int64_t>& ends,
                     const std::vector<int64_t>& weights) {
  ProfileBuilder builder;
  Record record;
  SampleBatch* batch = record.mutable_samples();
  batch->set_tree(1);
  batch->set_thread(1);
  for (const uint32_t count : {3, 0}) {
    batch->add_state(StateToWire(OmptState::kWorkSerial));
    batch->add_samples(count);
    batch->add_weight(count * 100);
  }
  for (const uint32_t row : rows) batch->add_timed_row(row);
  for (const int64_t end : ends) batch->add_timed_end_delta_us(end);
  for (const int64_t weight : weights) batch->add_timed_weight_delta(weight);
  builder.Append(record);
  return test::Read(builder);
}

TEST(ProfileReader, Times) {
  const ReadResult read = ReadTimes({0, 0, 1, 0}, {5000, 5000, -2000, 4000}, {100, 0, 3999900, -3999900});
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  const ProcessProfile& profile = read.profile;
  ASSERT_EQ(profile.timed.size(), 4u);
  EXPECT_EQ(profile.timed[1].end_ns, 10000000u);
  EXPECT_EQ(profile.timed[1].weight, 100u);
  EXPECT_EQ(profile.samples[profile.timed[1].row].cost.samples, 3u);
  EXPECT_EQ(profile.timed[2].end_ns, 8000000u);
  EXPECT_EQ(profile.timed[2].weight, 4000000u);
  EXPECT_TRUE(profile.samples[profile.timed[2].row].interval);
  EXPECT_EQ(profile.timed[3].end_ns, 12000000u);
}

TEST(ProfileReader, TimesThatMakeNoSense) {
  const auto sentence = [](const ReadResult& read) {
    EXPECT_TRUE(read.profile.timed.empty());
    return read.status.sentence();
  };
  EXPECT_NE(sentence(ReadTimes({0, 2}, {1, 1}, {1, 1})).find("not in its batch"), std::string::npos);
  EXPECT_NE(sentence(ReadTimes({0, 1}, {1}, {1, 1})).find("different numbers"), std::string::npos);
  EXPECT_NE(sentence(ReadTimes({0, 1}, {1, -2}, {1, 1})).find("out of range"), std::string::npos);
  EXPECT_NE(sentence(ReadTimes({0, 1}, {1, INT64_MAX}, {1, 1})).find("out of range"), std::string::npos);
  EXPECT_NE(sentence(ReadTimes({0, 1}, {1, 1}, {1, -5})).find("out of range"), std::string::npos);
}

TEST(ProfileReader, OperationsOfDevices) {
  ProfileBuilder builder;
  builder.AddDeviceOperations(
      3, {{.stats = 7, .begin_us = 10, .duration_us = 4, .bytes = 64}, {.stats = 8, .begin_us = 5, .duration_us = 1}});
  builder.AddDeviceOperations(0, {{.stats = 7, .begin_us = 2}});
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  const std::vector<DeviceOperation>& operations = read.profile.device_operations;
  ASSERT_EQ(operations.size(), 3u);
  EXPECT_EQ(operations[0].stats, 7u);
  EXPECT_EQ(operations[0].thread, 3u);
  EXPECT_EQ(operations[0].begin_ns, 10000u);
  EXPECT_EQ(operations[0].duration_ns, 4000u);
  EXPECT_EQ(operations[0].bytes, 64u);
  EXPECT_EQ(operations[1].begin_ns, 5000u);
  EXPECT_EQ(operations[2].thread, 0u);
}

// A device's runtime may translate a time wrong. The rest of the file is right.
TEST(ProfileReader, AnOperationOutsideOfAllTimeIsLeftOut) {
  ProfileBuilder builder;
  Record record;
  for (const int64_t delta : {int64_t{-5}, int64_t{105}, INT64_MAX}) {
    record.mutable_device_operations()->add_stats(1);
    record.mutable_device_operations()->add_begin_delta_ns(delta);
  }
  builder.Append(record);
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  ASSERT_EQ(read.profile.device_operations.size(), 1u);
  EXPECT_EQ(read.profile.device_operations[0].begin_ns, 100u);
  EXPECT_EQ(read.profile.misplaced_operations, 2u);
}

// The key has the path; the last record of a key counts.
TEST(ProfileReader, StatsOfDevicesByPath) {
  ProfileBuilder builder;
  builder.AddDeviceStats({.count = 1, .tree = 1, .node = 4});
  builder.AddDeviceStats({.count = 2, .tree = 1, .node = 5});
  builder.AddDeviceStats({.count = 3, .tree = 1, .node = 4});
  const ReadResult read = test::Read(builder);
  ASSERT_EQ(read.profile.device_stats.size(), 2u);
  EXPECT_EQ(read.profile.device_stats[0].count(), 3u);
  EXPECT_EQ(read.profile.device_stats[1].count(), 2u);
}

TEST(ProfileReader, LastRegionStatsWin) {
  ProfileBuilder builder;
  for (uint64_t invocations = 1; invocations <= 3; ++invocations) {
    Record record;
    record.mutable_region_stats()->set_thread(1);
    record.mutable_region_stats()->set_codeptr_ra(0x10);
    record.mutable_region_stats()->set_invocations(invocations);
    builder.Append(record);
  }
  const ReadResult read = test::Read(builder);
  ASSERT_EQ(read.profile.regions.size(), 1u);
  EXPECT_EQ(read.profile.regions[0].invocations(), 3u);
}

TEST(ProfileReader, LastCountOfGovernedEventsWins) {
  ProfileBuilder builder;
  for (const auto& [kind, events, observed] :
       {std::make_tuple(CLASS_TASK, 100, 100), {CLASS_LOCK, 7, 5}, {CLASS_TASK, 4000, 100}}) {
    Record record;
    record.mutable_governed()->set_event_class(kind);
    record.mutable_governed()->set_events(static_cast<uint64_t>(events));
    record.mutable_governed()->set_observed(static_cast<uint64_t>(observed));
    builder.Append(record);
  }
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok()) << read.status.sentence();
  ASSERT_EQ(read.profile.governed.size(), 2u);
  EXPECT_EQ(read.profile.governed.at(CLASS_TASK).events(), 4000u);
  EXPECT_EQ(read.profile.governed.at(CLASS_TASK).observed(), 100u);
  EXPECT_EQ(read.profile.governed.at(CLASS_LOCK).observed(), 5u);
}

TEST(ProfileReader, RegionRunsAddUp) {
  ProfileBuilder builder;
  for (const uint32_t context : {7u, 8u, 7u}) {
    Record record;
    record.mutable_region_runs()->set_context(context);
    record.mutable_region_runs()->set_ended(2);
    record.mutable_region_runs()->set_elapsed_ns(100);
    record.mutable_region_runs()->set_estimated(1);
    builder.Append(record);
  }
  const ReadResult read = test::Read(builder);
  ASSERT_EQ(read.profile.region_runs.size(), 2u);
  EXPECT_EQ(read.profile.region_runs.at(7).ended(), 4u);
  EXPECT_EQ(read.profile.region_runs.at(7).elapsed_ns(), 200u);
  EXPECT_EQ(read.profile.region_runs.at(7).estimated(), 2u);
  EXPECT_EQ(read.profile.region_runs.at(8).ended(), 2u);
}

TEST(ProfileReader, LengthsOfWaitsAreInOrder) {
  const auto is_fine = [](const std::vector<uint32_t>& buckets, int counts) {
    ProfileBuilder builder;
    Record record;
    for (const uint32_t bucket : buckets) record.mutable_wait_stats()->add_length_bucket(bucket);
    for (int i = 0; i < counts; ++i) record.mutable_wait_stats()->add_length_count(1);
    builder.Append(record);
    return test::Read(builder).status.ok();
  };
  EXPECT_TRUE(is_fine({1, 127}, 2));
  EXPECT_FALSE(is_fine({1, 128}, 2));
  EXPECT_FALSE(is_fine({5, 0}, 2));
  EXPECT_FALSE(is_fine({5}, 2));
  EXPECT_FALSE(is_fine({UINT32_MAX, 2}, 2));
}

TEST(ProfileReader, BytesThatAreNotUtf8AreKept) {
  ProfileBuilder builder;
  Record record;
  record.mutable_module()->set_id(1);
  record.mutable_module()->set_path("/tmp/\xe9t\xe9");
  builder.Append(record);
  const ReadResult read = test::Read(builder);
  ASSERT_TRUE(read.status.ok());
  EXPECT_EQ(read.profile.modules.at(1).path(), "/tmp/\xe9t\xe9");
}

TEST(ProfileReader, UnknownRecordsAndFieldsAreSkipped) {
  ProfileBuilder builder;
  Record record;
  // Field 100, a string, in a record of its own and within a thread.
  record.GetReflection()->MutableUnknownFields(&record)->AddLengthDelimited(100, "future");
  builder.Append(record);
  Record thread;
  thread.mutable_thread()->set_id(1);
  thread.mutable_thread()->GetReflection()->MutableUnknownFields(thread.mutable_thread())->AddVarint(100, 1);
  builder.Append(thread);
  const ReadResult read = test::Read(builder);
  EXPECT_TRUE(read.status.ok());
  EXPECT_EQ(read.profile.threads.size(), 1u);
}

std::string SentenceFor(const Record& record) {
  ProfileBuilder builder;
  builder.AddThread(9, Thread::WORKER, 1);
  builder.Append(record);
  const ReadResult read = test::Read(builder);
  EXPECT_TRUE(read.usable);
  EXPECT_EQ(read.profile.threads.size(), 1u);  // what came before
  return read.status.sentence();
}

TEST(ProfileReader, DamagedRecords) {
  Record nodes;
  nodes.mutable_nodes()->set_tree(1);
  nodes.mutable_nodes()->set_first_id(1);
  nodes.mutable_nodes()->add_parent_distance(1);
  EXPECT_NE(SentenceFor(nodes).find("a node whose parent is not known"), std::string::npos);
  nodes.mutable_nodes()->set_parent_distance(0, 0);
  nodes.mutable_nodes()->set_first_id(2);
  EXPECT_NE(SentenceFor(nodes).find("does not follow the one before"), std::string::npos);
  nodes.mutable_nodes()->set_first_id(1);
  nodes.mutable_nodes()->add_kind(1);
  nodes.mutable_nodes()->add_kind(1);
  EXPECT_NE(SentenceFor(nodes).find("columns of different lengths"), std::string::npos);
  Record samples;
  samples.mutable_samples()->add_node(1);
  samples.mutable_samples()->add_weight(1);
  samples.mutable_samples()->add_weight(1);
  EXPECT_NE(SentenceFor(samples).find("columns of different lengths"), std::string::npos);
  Record module;
  module.mutable_module();
  EXPECT_NE(SentenceFor(module).find("a module without an id"), std::string::npos);
  Record operations;
  operations.mutable_device_operations()->add_stats(0);
  EXPECT_NE(SentenceFor(operations).find("without its kind"), std::string::npos);
  operations.mutable_device_operations()->set_stats(0, 1);
  operations.mutable_device_operations()->add_bytes(1);
  operations.mutable_device_operations()->add_bytes(1);
  EXPECT_NE(SentenceFor(operations).find("columns of different lengths"), std::string::npos);
  Record governed;
  governed.mutable_governed()->set_events(4);
  EXPECT_NE(SentenceFor(governed).find("without a class"), std::string::npos);
  governed.mutable_governed()->set_event_class(CLASS_TASK);
  governed.mutable_governed()->set_observed(5);
  EXPECT_NE(SentenceFor(governed).find("more events observed"), std::string::npos);
}

TEST(ProfileReader, CutFileIsReadToTheLastWholeRecord) {
  ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 5);
  const size_t whole = builder.Bytes().size();
  builder.AddThread(2, Thread::WORKER, 5);
  const ReadResult read = ReadProfile("cut.ompprof", test::FromMemory(builder.Bytes().substr(0, whole + 3)));
  EXPECT_EQ(read.status.sentence(), "cut.ompprof: is cut short: the last record is incomplete at byte " +
                                        std::to_string(whole) + "; what comes before it is shown");
  EXPECT_TRUE(read.usable);
  EXPECT_EQ(read.profile.threads.size(), 1u);
  EXPECT_FALSE(read.profile.complete);
}

TEST(ProfileReader, NewerVersionIsRefused) {
  ProfileBuilder builder{ProfileBuilder::Empty{}};
  Record record;
  record.mutable_header()->set_format_version(2000);
  builder.Append(record);
  const ReadResult read = ReadProfile("new.ompprof", test::FromMemory(kMagic + builder.Bytes()));
  EXPECT_FALSE(read.usable);
  EXPECT_EQ(read.status.sentence(),
            "new.ompprof: was written by a newer ompprof (format 2; this one reads up to 1): use that one to read it");
}

TEST(ProfileReader, MinorVersionsAreRead) {
  ProfileBuilder builder{ProfileBuilder::Empty{}};
  Record record;
  record.mutable_header()->set_format_version(1999);
  builder.Append(record);
  EXPECT_TRUE(ReadProfile("minor", test::FromMemory(kMagic + builder.Bytes())).usable);
}

TEST(ProfileReader, NoHeader) {
  EXPECT_EQ(ReadProfile("empty", test::FromMemory(kMagic)).status.sentence(),
            "empty: has no header: the program ended before anything was recorded");
  ProfileBuilder builder{ProfileBuilder::Empty{}};
  builder.AddThread(1, Thread::INITIAL, 1);
  EXPECT_EQ(ReadProfile("odd", test::FromMemory(kMagic + builder.Bytes())).status.sentence(),
            "odd: is damaged: it does not begin with a header");
}

TEST(ProfileReader, UnreadablePaths) {
  EXPECT_EQ(ReadProfile("/nowhere/x").status.sentence(), "/nowhere/x: cannot be opened: No such file or directory");
  EXPECT_EQ(ReadProfile("/tmp").status.sentence(), "/tmp: cannot be opened: Is a directory");
}

// The collector leaves a column of zeros out: all entries are of the batch's first row.
TEST(ProfileReader, TimesWithoutAColumnOfRows) {
  test::ProfileBuilder builder;
  for (int flush = 1; flush <= 2; ++flush) {
    Record record;
    SampleBatch* batch = record.mutable_samples();
    batch->set_tree(1);
    batch->set_thread(1);
    batch->add_node(1);
    batch->add_timed_end_delta_us(10 * flush);
    batch->add_timed_weight_delta(5000);
    builder.Append(record);
  }
  const ReadResult whole = test::Read(builder);
  ASSERT_EQ(whole.profile.samples.size(), 1u);
  EXPECT_TRUE(whole.profile.samples[0].interval);
  ASSERT_EQ(whole.profile.timed.size(), 2u);
  EXPECT_EQ(whole.profile.timed[1].end_ns, 20000u);
  const ReadResult dropped = ReadProfile("test", test::FromMemory(builder.Bytes()), Timeline::kDrop);
  EXPECT_TRUE(dropped.profile.timed.empty());
  ASSERT_EQ(dropped.profile.samples.size(), 1u);
  EXPECT_TRUE(dropped.profile.samples[0].interval);
}

}  // namespace
}  // namespace ompprof::model
