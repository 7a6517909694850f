// Labels have numbers: one for each name in each surrounding label, even when many threads push at a time. A full table
// counts its refusals.
#include "profiler/collect/base/label_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

std::unique_ptr<LabelTable> NewTable() { return std::unique_ptr<LabelTable>(new LabelTable()); }

TEST(LabelTable, ANameHasOneNumberInEachLabelAroundIt) {
  const auto table = NewTable();
  const uint32_t solve = table->Find(0, "solve");
  const uint32_t inner = table->Find(solve, "solve");
  EXPECT_NE(solve, 0u);
  EXPECT_NE(inner, solve);
  EXPECT_EQ(table->Find(0, "solve"), solve);
  EXPECT_EQ(table->Find(solve, "solve"), inner);
  EXPECT_NE(table->Find(0, "solv"), solve);
  EXPECT_NE(table->Find(0, ""), 0u);
  EXPECT_STREQ(table->At(inner)->name, "solve");
  EXPECT_EQ(table->At(inner)->parent, solve);
}

TEST(LabelTable, LongNamesAreCut) {
  const auto table = NewTable();
  const uint32_t number = table->Find(0, std::string(1000, 'x').c_str());
  EXPECT_EQ(std::string(table->At(number)->name), std::string(Label::kMaxName - 1, 'x'));
  EXPECT_EQ(table->Find(0, std::string(500, 'x').c_str()), number);
}

TEST(LabelTable, AFullTableCountsWhatItRefuses) {
  const auto table = NewTable();
  for (uint32_t i = 1; i < LabelTable::kMaxLabels; ++i) EXPECT_EQ(table->Find(0, std::to_string(i).c_str()), i);
  EXPECT_EQ(table->refused(), 0u);
  EXPECT_EQ(table->Find(0, "one more"), 0u);
  EXPECT_EQ(table->Find(7, "7"), 0u);
  EXPECT_EQ(table->Find(0, "7"), 7u);
  EXPECT_EQ(table->refused(), 2u);
  EXPECT_EQ(table->size(), LabelTable::kMaxLabels - 1);
}

// Threads that push the same labels at the same time get the same numbers.
TEST(LabelTable, ManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kNames = 500;
  const auto table = NewTable();
  std::vector<std::vector<uint32_t>> numbers(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kNames; ++i) numbers[thread].push_back(table->Find(0, std::to_string(i).c_str()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int thread = 1; thread < kThreads; ++thread) EXPECT_EQ(numbers[thread], numbers[0]);
  EXPECT_EQ(std::set<uint32_t>(numbers[0].begin(), numbers[0].end()).size(), static_cast<size_t>(kNames));
  for (int i = 0; i < kNames; ++i) EXPECT_EQ(table->At(numbers[0][i])->name, std::to_string(i));
}

}  // namespace
}  // namespace ompprof::collect
