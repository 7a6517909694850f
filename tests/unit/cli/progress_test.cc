// The progress line, and the totals behind it.
#include "profiler/cli/output/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::cli {
namespace {

TEST(ProgressText, TimeAndCounts) {
  EXPECT_EQ(ProgressText(5, 0, 0), "ompprof: 0:05, 0 samples, 0 lost");
  EXPECT_EQ(ProgressText(65, 1, 0), "ompprof: 1:05, 1 sample, 0 lost");
  EXPECT_EQ(ProgressText(3599, 1234567, 12), "ompprof: 59:59, 1,234,567 samples, 12 lost");
  EXPECT_EQ(ProgressText(3661, 2, 0), "ompprof: 1:01:01, 2 samples, 0 lost");
}

TEST(LogTotals, OfALogThatGrows) {
  test::ProfileBuilder builder;
  builder.AddSample({.tree = 1,
                     .node = 0,
                     .thread = 1,
                     .state = OmptState::kWorkParallel,
                     .splice = 0,
                     .region = 0,
                     .wait_id = 0,
                     .samples = 7,
                     .weight = 1000});
  Record record;
  Lost* lost = record.mutable_lost();
  lost->add_reason(LOST_TREE_FULL);
  lost->add_samples(3);
  lost->add_reason(LOST_NO_TIMER);
  lost->add_samples(50);  // threads, not samples
  builder.Append(record);
  const size_t before = builder.Bytes().size();
  lost->set_samples(0, 5);  // running totals: the last counts
  builder.Append(record);
  builder.AddSample({.tree = 1,
                     .node = 0,
                     .thread = 2,
                     .state = OmptState::kWorkParallel,
                     .splice = 0,
                     .region = 0,
                     .wait_id = 0,
                     .samples = 4,
                     .weight = 1000});

  const std::string bytes = builder.Bytes();
  size_t written = 3;
  size_t taken = 0;
  LogTotals totals([&](char* buffer, size_t size) -> long {
    const size_t count = std::min(size, written - taken);
    std::memcpy(buffer, bytes.data() + taken, count);
    taken += count;
    return static_cast<long>(count);
  });
  EXPECT_TRUE(totals.Read());
  EXPECT_EQ(totals.samples(), 0u);
  written = before + 2;
  EXPECT_TRUE(totals.Read());
  EXPECT_EQ(totals.samples(), 7u);
  EXPECT_EQ(totals.lost(), 3u);
  written = bytes.size();
  EXPECT_TRUE(totals.Read());
  EXPECT_EQ(totals.samples(), 11u);
  EXPECT_EQ(totals.lost(), 5u);
  EXPECT_EQ(totals.end(), "") << "the log has no footer";
  LogTotals other(test::FromMemory("not a profile"));
  EXPECT_FALSE(other.Read());
}

TEST(LogTotals, TheEndOfALog) {
  test::ProfileBuilder builder;
  Record record;
  record.mutable_footer()->set_reason("exec");
  builder.Append(record);
  record.mutable_footer()->set_reason("exit");
  builder.Append(record);
  LogTotals totals(test::FromMemory(builder.Bytes()));
  EXPECT_TRUE(totals.Read());
  EXPECT_EQ(totals.end(), "exit") << "a later footer replaces an earlier one";
}

}  // namespace
}  // namespace ompprof::cli
