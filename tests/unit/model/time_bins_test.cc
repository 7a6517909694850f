// The timeline by pieces of time: known times in known pieces, and a reader's bins against the timeline itself.
#include "profiler/model/time_bins.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "tests/unit/model/profile_builder.h"

namespace ompprof::model {
namespace {

constexpr uint64_t kBegin = 1'700'000'000'000'123;  // microseconds since 1970, not at the begin of a piece

std::map<std::pair<uint64_t, uint32_t>, uint64_t> ByPiece(const TimeBins& bins) {
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> by_piece;
  for (const TimeBin& bin : bins.bins) by_piece[{bin.number, bin.row}] += bin.ns;
  EXPECT_EQ(by_piece.size(), bins.bins.size()) << "a piece has a row twice";
  return by_piece;
}

TEST(TimeBinner, DividesATimeBetweenPieces) {
  TimeBinner binner(kBegin);
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
  TimeBinner binner(kBegin);
  binner.Add(0, kBegin - 5000, kBegin + 2);
  binner.Add(0, kBegin - 5000, kBegin);
  ASSERT_EQ(binner.Bins().bins.size(), 1u);
  EXPECT_EQ(binner.Bins().bins[0].ns, 2000u);
  EXPECT_EQ(TimeBinner(kBegin).Bins().log2_us, 0u);
}

// Whatever the order, wide pieces are sums of narrow ones, and there are at most kMostNumbers.
TEST(TimeBinner, WidensItsPieces) {
  std::mt19937_64 random(7);
  for (const uint64_t duration : {uint64_t{200'000}, uint64_t{3'000'000}, uint64_t{86'400'000'000}}) {
    TimeBinner binner(kBegin);
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
    EXPECT_LT(bins.bins.back().number - (kBegin >> bins.log2_us), TimeBinner::kMostNumbers);
    if (bins.log2_us > TimeBinner::kLeastLog2) {
      EXPECT_GE(bins.bins.back().number - (kBegin >> bins.log2_us), TimeBinner::kMostNumbers / 2 - 1) << "too wide";
    }
  }
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
  TimeBinner binner(1'700'000'000'000'000);
  for (const TimedRow& timed : kept.timed) {
    const uint64_t end = 1'700'000'000'000'000 + timed.end_ns / 1000;
    binner.Add(timed.row, end - timed.weight / 1000, end);
  }
  EXPECT_EQ(ByPiece(binned.time_bins), ByPiece(binner.Bins()));
  uint64_t all = 0;
  for (const TimeBin& bin : binned.time_bins.bins) all += bin.ns;
  EXPECT_EQ(all, 13'000'000u);
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
