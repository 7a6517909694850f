// The timeline by pieces of time: known times in known pieces, and a reader's bins against the timeline itself.
#include "profiler/model/time_bins.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

constexpr uint64_t kMostNumbers = 256;
constexpr uint64_t kBegin = 1'700'000'000'000'123;  // microseconds since 1970, not at the begin of a piece

std::map<std::pair<uint64_t, uint32_t>, uint64_t> ByPiece(const TimeBins& bins) {
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> by_piece;
  for (const TimeBin& bin : bins.bins) by_piece[{bin.number, bin.row}] += bin.ns;
  EXPECT_EQ(by_piece.size(), bins.bins.size()) << "a piece has a row twice";
  return by_piece;
}

TEST(TimeBinner, DividesATimeBetweenPieces) {
  TimeBinner binner(kBegin, kMostNumbers, SIZE_MAX);
  const uint64_t piece = (kBegin >> 10) + 5;
  binner.Add(3, (piece << 10) - 100, (piece << 10) + 1024 + 24);
  binner.Add(3, (piece << 10), (piece << 10) + 10);
  binner.Add(4, (piece << 10), (piece << 10) + 10);
  binner.Add(4, piece << 10, piece << 10);
  const TimeBins bins = binner.Bins();
  EXPECT_EQ(bins.log2_us, 10u);
  const std::map<std::pair<uint64_t, uint32_t>, uint64_t> expected = {
      {{piece - 1, 3}, 100'000}, {{piece, 3}, 1'034'000}, {{piece, 4}, 10'000}, {{piece + 1, 3}, 24'000}};
  EXPECT_EQ(ByPiece(bins), expected);
}

TEST(TimeBinner, HasNothingBeforeTheBegin) {
  TimeBinner binner(kBegin, kMostNumbers, SIZE_MAX);
  binner.Add(0, kBegin - 5000, kBegin + 2);
  binner.Add(0, kBegin - 5000, kBegin);
  ASSERT_EQ(binner.Bins().bins.size(), 1u);
  EXPECT_EQ(binner.Bins().bins[0].ns, 2000u);
  EXPECT_EQ(TimeBinner(kBegin, kMostNumbers, SIZE_MAX).Bins().log2_us, 0u);
}

// Whatever the order, wide pieces are sums of narrow ones, and there are at most as many as allowed.
TEST(TimeBinner, WidensItsPieces) {
  std::mt19937_64 random(7);
  for (const uint64_t duration : {uint64_t{200'000}, uint64_t{3'000'000}, uint64_t{86'400'000'000}}) {
    TimeBinner binner(kBegin, kMostNumbers, SIZE_MAX);
    std::map<std::pair<uint64_t, uint32_t>, uint64_t> truth;  // by microsecond and row, in bits
    std::vector<std::pair<uint64_t, uint32_t>> points;
    for (int i = 0; i < 5000; ++i) {
      const uint64_t at = kBegin + random() % duration;
      const auto row = static_cast<uint32_t>(random() % 7);
      binner.Add(row, at, at + 1);
      points.push_back({at, row});
    }
    binner.Add(9, kBegin + duration - 1, kBegin + duration);
    points.push_back({kBegin + duration - 1, 9});
    const TimeBins bins = binner.Bins();
    for (const auto& [at, row] : points) truth[{at >> bins.log2_us, row}] += 1000;
    EXPECT_EQ(ByPiece(bins), truth);
    EXPECT_LT(bins.bins.back().number - (kBegin >> bins.log2_us), kMostNumbers);
    if (bins.log2_us > TimeBinner::kLeastLog2) {
      EXPECT_GE(bins.bins.back().number - (kBegin >> bins.log2_us), kMostNumbers / 2 - 1) << "too wide";
    }
  }
}

// Rows that are everywhere get wider pieces, down to one.
TEST(TimeBinner, HasALimitOfBins) {
  constexpr size_t kMostBins = 100;
  TimeBinner few(kBegin, kMostNumbers, kMostBins);
  TimeBinner many(kBegin, kMostNumbers, kMostBins);
  for (uint64_t at = kBegin; at < kBegin + 200000; at += 1000) {
    for (uint32_t row = 0; row < 10; ++row) few.Add(row, at, at + 1);
    for (uint32_t row = 0; row < 1000; ++row) many.Add(row, at, at + 1);
  }
  const TimeBins of_few = few.Bins();
  EXPECT_LE(of_few.bins.size(), kMostBins);
  EXPECT_GT(of_few.bins.size(), kMostBins / 3);
  EXPECT_EQ(many.Bins().bins.size(), 1000u) << "one of each row";
  for (const TimeBin& bin : many.Bins().bins) EXPECT_EQ(bin.ns, 200000u);
}

// The rows of the bins are those of the profile after it was sorted, and their times are those of the timeline.
TEST(TimeBins, AreTheTimelineOfAReader) {
  test::ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 9000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  const uint32_t first = builder.AddNode(1, root, NODE_FRAME, 0x400100);
  const uint32_t second = builder.AddNode(1, root, NODE_FRAME, 0x400200);
  test::TestSample wait{1, root, 1, OmptState::kIdle, 0, 0, 0, 0, 0, 30'000, 5'000'000};
  test::TestSample later{1, second, 1, OmptState::kWorkSerial, 0, 0, 0, 1, 2'000'000, 40'000};
  test::TestSample earlier{1, first, 1, OmptState::kWorkSerial, 0, 0, 0, 1, 4'000'000, 10'000};
  for (const test::TestSample& sample : {later, earlier, wait, later}) builder.AddSample(sample);
  builder.AddFooter(3, 8'000'000);
  const auto read = [&](Timeline timeline) {
    return ReadProfile("test.ompprof", test::FromMemory(builder.Bytes()), timeline).profile;
  };
  const ProcessProfile kept = read(Timeline::kKeep);
  const ProcessProfile binned = read(Timeline::kBin);
  EXPECT_TRUE(kept.time_bins.bins.empty());
  EXPECT_TRUE(binned.timed.empty());
  EXPECT_TRUE(read(Timeline::kDrop).time_bins.bins.empty());
  ASSERT_EQ(kept.samples.size(), binned.samples.size());
  TimeBinner binner(1'700'000'000'000'000, kMostNumbers, SIZE_MAX);
  for (const TimedRow& timed : kept.timed) {
    const uint64_t end = 1'700'000'000'000'000 + timed.end_ns / 1000;
    binner.Add(timed.row, end - timed.weight / 1000, end);
  }
  EXPECT_EQ(ByPiece(binned.time_bins), ByPiece(binner.Bins()));
  uint64_t all = 0;
  for (const TimeBin& bin : binned.time_bins.bins) all += bin.ns;
  EXPECT_EQ(all, 13'000'000u);
}

// A timeline that is put together has each row's time in the right piece, and the times of a thread one after the
// other.
TEST(TimedPieces, HaveTheTimesOfALongTimeline) {
  constexpr uint64_t kStart = 1'700'000'000'000'000;
  constexpr uint64_t kSampleUs = 3000;
  test::ProfileBuilder builder;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> truth;  // by piece, and by node and thread
  TimeBinner binner(kStart, kTimedPieces, SIZE_MAX);
  const auto add = [&](uint32_t thread, uint32_t node, uint64_t end_us, uint64_t interval_us) {
    const bool wait = interval_us != 0;
    builder.AddSample({thread, node, thread, wait ? OmptState::kIdle : OmptState::kWorkSerial, 0, 0, 0, wait ? 0U : 1U,
                       wait ? 0 : kSampleUs * 1000, end_us, interval_us * 1000});
    binner.Add(thread * 10 + node, kStart + end_us - (wait ? interval_us : kSampleUs), kStart + end_us);
  };
  for (uint32_t thread = 1; thread <= 2; ++thread) {
    builder.AddThread(thread, Thread::WORKER, 9000);
    const uint32_t root = builder.AddNode(thread, 0, NODE_ROOT);
    builder.AddNode(thread, root, NODE_FRAME, 0x400100);
    builder.AddNode(thread, root, NODE_FRAME, 0x400200);
    uint64_t at = 0;
    for (int i = 0; i < 6000; ++i) {
      add(thread, 2 + static_cast<uint32_t>(i % 2), at += kSampleUs, 0);
      if (i % 10 == 0) add(thread, 1, at += 5000, 5000);
    }
  }
  ReadOptions options;
  options.most_timed = 13000;  // fewer than the 13,200 entries, more than the bins
  const ProcessProfile profile = ReadProfile("test", test::FromMemory(builder.Bytes()), options).profile;
  const TimeBins expected = binner.Bins();
  const uint64_t piece_us = uint64_t{1} << expected.log2_us;
  EXPECT_EQ(profile.timed_piece_ns, piece_us * 1000);
  EXPECT_EQ(profile.timed.size(), expected.bins.size());
  for (const TimeBin& bin : expected.bins) truth[{bin.number, bin.row}] = bin.ns;
  std::map<uint32_t, uint64_t> free_ns;  // by thread
  for (const TimedRow& timed : profile.timed) {
    const SampleRow& row = profile.samples[timed.row];
    const uint64_t number = (kStart + timed.end_ns / 1000 - 1) >> expected.log2_us;
    EXPECT_EQ((truth[{number, row.thread * 10 + row.node}]), timed.weight);
    EXPECT_GE(timed.end_ns - timed.weight, free_ns[row.thread]) << "two times of a thread overlap";
    free_ns[row.thread] = timed.end_ns;
  }
  EXPECT_EQ(ReadProfile("test", test::FromMemory(builder.Bytes())).profile.timed_piece_ns, 0u) << "without a limit";
}

// What does not fit into a piece: samples of a thread that spins as it waits.
TEST(TimedPieces, AreNoLongerThanThePiece) {
  test::ProfileBuilder builder;
  builder.AddThread(1, Thread::WORKER, 9000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  for (uint64_t end_us = 1000; end_us <= 100000; end_us += 1000) {
    builder.AddSample({1, root, 1, OmptState::kIdle, 0, 0, 0, 0, 0, end_us, 1'000'000});
    builder.AddSample({1, root, 1, OmptState::kIdle, 0, 0, 0, 1, 1'000'000, end_us});
  }
  ReadOptions options;
  options.most_timed = 10;
  const ProcessProfile profile = ReadProfile("test", test::FromMemory(builder.Bytes()), options).profile;
  uint64_t waited = 0;
  uint64_t sampled = 0;
  for (const TimedRow& timed : profile.timed) {
    EXPECT_LE(timed.end_ns, 100'000'000 + profile.timed_piece_ns);
    (profile.samples[timed.row].interval ? waited : sampled) += timed.weight;
  }
  EXPECT_EQ(waited, 100'000'000u);
  EXPECT_EQ(sampled, 100'000'000u);
}

// The weight of an event is no time. A sample then stands for the time between samples.
TEST(TimeBins, OfEventsAreTheTimesBetweenSamples) {
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_weight_unit("events");
  header->set_frequency(100);
  test::ProfileBuilder builder(record);
  builder.AddThread(1, Thread::INITIAL, 9000);
  const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
  builder.AddSample({1, root, 1, OmptState::kWorkSerial, 0, 0, 0, 1, 77'000'000'000, 40'000});
  const ProcessProfile profile = ReadProfile("e", test::FromMemory(builder.Bytes()), Timeline::kBin).profile;
  uint64_t all = 0;
  for (const TimeBin& bin : profile.time_bins.bins) all += bin.ns;
  EXPECT_EQ(all, 10'000'000u);
}

}  // namespace
}  // namespace ompprof::model
