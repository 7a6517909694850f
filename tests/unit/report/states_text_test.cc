// The text report's tables of states and threads: known answers.
#include "profiler/report/sections/states.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "nlohmann/json.hpp"
#include "profiler/report/whole/json_report.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

using test::kSecond;
using test::MadeUpRun;

// A thread of 100 s, and 97 threads after each other of 200 ms and 150 ms of CPU time each.
MadeUpRun ManyThreads() {
  MadeUpRun run(1, 100 * kSecond);
  for (uint32_t id = 2; id < 99; ++id) {
    analyze::ThreadFacts& thread = run.process().threads.emplace_back();
    thread.id = id;
    thread.tid = 5000 + id;
    thread.name = "solver";
    thread.kind = analyze::ThreadKind::kWorker;
    thread.start_mono_ns = 1000 + id * kSecond;
    thread.lifetime_ns = kSecond / 5;
    thread.cpu_ns = 150000000;
  }
  return run;
}

TEST(Threads, ShortLivedThreadsAreOneRowWithTheirSums) {
  const MadeUpRun run = ManyThreads();
  const std::string text = ThreadsText(run.view, analyze::Summarize(run.view), {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;  // an empty line, the title, the headings, two rows
  EXPECT_NE(text.find("\n  2-98 "), std::string::npos) << text;
  EXPECT_NE(text.find("  14.55 s "), std::string::npos) << text;
  EXPECT_NE(text.find("  97 threads, 200.00 ms each\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("5002"), std::string::npos) << text;
}

TEST(Threads, TheLimitCountsRowsAndTheRestIsThreads) {
  const MadeUpRun run = ManyThreads();
  TextOptions options;
  options.limit = 1;
  const std::string text = ThreadsText(run.view, analyze::Summarize(run.view), options);
  EXPECT_NE(text.find("... and 97 more threads"), std::string::npos) << text;
}

TEST(Threads, JsonHasEachThread) {
  const MadeUpRun run = ManyThreads();
  const nlohmann::json json =
      nlohmann::json::parse(JsonReport(run.view, analyze::Summarize(run.view), model::Symbolizer()));
  EXPECT_EQ(json["threads"].size(), 98u);
}

}  // namespace
}  // namespace ompprof::report
