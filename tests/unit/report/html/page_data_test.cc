// The page's data: threads in rows, regions' threads, and source that may be read.
#include "profiler/report/html/page_data.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "profiler/analyze/account/summary.h"
#include "profiler/report/html/source_lines.h"
#include "profiler/report/html/thread_rows.h"
#include "proto/ompt_state.h"
#include "tests/unit/analyze/made_up_run.h"

namespace ompprof::report {
namespace {

using test::kSecond;
using test::MadeUpRun;

nlohmann::json DataOf(MadeUpRun* run) {
  model::Symbolizer symbolizer;
  const analyze::Answers answers = analyze::Answer(&run->view, &symbolizer);
  const analyze::Summary summary = analyze::Summarize(run->view);
  const PageRun whole = {&run->view, &summary, &symbolizer, &answers};
  return nlohmann::json::parse(PageData(whole, whole, nullptr));
}

TEST(PageDataTest, HasEachThreadsWaitsByClass) {
  MadeUpRun run(2, 10 * kSecond);
  const analyze::FunctionId region =
      run.AddRegion("f", 5, 8 * kSecond, 12 * kSecond, 8 * kSecond, 4 * kSecond).construct;
  run.AddWait(2, OmptState::kWaitBarrierImplicitParallel, 4 * kSecond, 5, region);
  run.AddWait(1, OmptState::kWaitCritical, kSecond, 3, region, 77);
  run.AddWait(2, OmptState::kIdle, 2 * kSecond, 6);
  const nlohmann::json data = DataOf(&run);
  const auto& classes = data["classes"];
  const auto of = [&](int thread, const std::string& name) -> uint64_t {
    for (size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] == name) return data["threads"][static_cast<size_t>(thread)]["waited_ns"][i];
    }
    return 1;
  };
  EXPECT_EQ(of(1, "barrier"), 4 * kSecond);
  EXPECT_EQ(of(0, "lock"), kSecond);
  EXPECT_EQ(of(1, "idle"), 2 * kSecond);
  EXPECT_EQ(of(0, "barrier"), 0U);
  EXPECT_EQ(data["threads"][0]["lifetime_ns"], 10 * kSecond);
  ASSERT_EQ(data["regions"].size(), data["report"]["regions"].size());
  EXPECT_EQ(data["regions"][0]["wait_ns"], nlohmann::json({kSecond, 4 * kSecond}));
  EXPECT_EQ(data["regions"][0]["wait_by_class"]["lock"], nlohmann::json({kSecond, 0}));
  EXPECT_TRUE(data["timeline"].is_null());
  EXPECT_TRUE(data["before"].is_null());
}

TEST(PageDataTest, HasTheColumnsAsDeclared) {
  MadeUpRun run(2, 10 * kSecond);
  const nlohmann::json columns = DataOf(&run)["columns"]["locks"];
  ASSERT_FALSE(columns.empty());
  EXPECT_EQ(columns[0]["key"], "name");
  EXPECT_EQ(columns[2], nlohmann::json({{"key", "wait_ns"},
                                        {"heading", "wait"},
                                        {"unit", "ns"},
                                        {"measured", true},
                                        {"derived", false},
                                        {"hover", "wall time, all threads; exact, or with ~ estimated"}}));
}

TEST(PageDataTest, HasTheCostliestCallPathsOfEachRegion) {
  MadeUpRun run(2, 10 * kSecond);
  const analyze::FunctionId region =
      run.AddRegion("f", 5, 8 * kSecond, 12 * kSecond, 8 * kSecond, 4 * kSecond).construct;
  for (uint32_t i = 1; i <= 40; ++i) {
    const std::string name = "space::caller" + std::to_string(i);
    const analyze::FunctionId caller = run.view.frames.AddFunction({name + "(int)", name, "a.c", i, 0});
    analyze::ViewSample sample{};
    sample.path = run.view.paths.Child(analyze::kEmptyPath, run.view.frames.AddLocation({0, 2 * i}, {{caller, i}}));
    sample.path = run.view.paths.Child(sample.path, run.view.frames.AddLocation({0, 2 * i + 1}, {{region, 1}}));
    sample.cost.samples = 1;
    sample.cost.weight = i * kSecond;
    run.view.samples.push_back(sample);
  }
  const nlohmann::json paths = DataOf(&run)["report"]["regions"][0];
  EXPECT_EQ(paths["path_count"], 40);
  ASSERT_EQ(paths["paths"].size(), 30U);
  EXPECT_EQ(paths["paths"][0]["cpu_ns"], 40 * kSecond);
  EXPECT_EQ(paths["paths"][0]["callers"], nlohmann::json({"space::caller40"}));
  EXPECT_EQ(paths["paths"][29]["cpu_ns"], 11 * kSecond);
  EXPECT_EQ(paths["paths"][29]["estimated"], false);
}

TEST(PageDataTest, PutsManyThreadsIntoGroups) {
  MadeUpRun run(1000, kSecond);
  for (uint32_t thread = 1; thread <= 1000; ++thread)
    run.AddWait(thread, OmptState::kWaitBarrierImplicitParallel, thread);
  const ThreadRows rows(run.view, analyze::Summarize(run.view));
  EXPECT_LE(rows.rows().size(), 96U);
  uint32_t threads = 0;
  uint64_t waited = 0;
  for (const PageThread& row : rows.rows()) {
    threads += row.threads;
    waited += row.waited_ns[static_cast<int>(TimeClass::kBarrier)];
  }
  EXPECT_EQ(threads, 1000U);
  EXPECT_EQ(waited, 500500U);
  EXPECT_EQ(rows.rows()[0].label, "1 to 16");
  EXPECT_EQ(rows.Of(0, 16), 0U);
  EXPECT_EQ(rows.Of(0, 17), 1U);
}

TEST(PageDataTest, PutsShortLivedThreadsThatFollowEachOtherIntoARow) {
  MadeUpRun run(1, 100 * kSecond);
  for (uint32_t id = 2; id <= 41; ++id) {
    analyze::ThreadFacts& thread = run.process().threads.emplace_back();
    thread.id = id;
    thread.kind = analyze::ThreadKind::kWorker;
    thread.start_mono_ns = 1000 + id * kSecond;
    thread.lifetime_ns = kSecond / 2;
    thread.cpu_ns = 7;
  }
  const ThreadRows rows(run.view, analyze::Summarize(run.view));
  ASSERT_EQ(rows.rows().size(), 2U);
  EXPECT_EQ(rows.rows()[0].label, "1");
  EXPECT_EQ(rows.rows()[1].label, "2 to 41");
  EXPECT_EQ(rows.rows()[1].threads, 40U);
  EXPECT_EQ(rows.rows()[1].cpu_ns, 280U);
  EXPECT_EQ(rows.rows()[1].lifetime_ns, 20 * kSecond);
  EXPECT_EQ(rows.Of(0, 41), 1U);
}

class SourceTest : public ::testing::Test {
 protected:
  // The sources of a run that spends a second on line 2 of `path`.
  static SourceFile Read(const std::string& path, const std::vector<std::string>& folders = {}) {
    MadeUpRun run(1, kSecond);
    const analyze::FunctionId function = run.view.frames.AddFunction({"f", "f", path, 1, 0});
    analyze::ViewSample sample{};
    sample.path = run.view.paths.Child(analyze::kEmptyPath, run.view.frames.AddLocation({0, 1}, {{function, 2}}));
    sample.cost.samples = 1;
    sample.cost.weight = kSecond;
    run.view.samples.push_back(sample);
    const std::vector<SourceFile> files = ReadSources(run.view, model::Symbolizer(), folders);
    EXPECT_EQ(files.size(), 1U);
    return files.empty() ? SourceFile{} : files[0];
  }

  static std::string Write(const std::string& name, const std::string& text) {
    const std::string path = ::testing::TempDir() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

TEST_F(SourceTest, HasTextAndCost) {
  const SourceFile file = Read(Write("a.c", "int f(void) {\n  return 1;\n}\n"));
  ASSERT_EQ(file.lines.size(), 3U);
  EXPECT_EQ(file.lines[1].text, "  return 1;");
  ASSERT_EQ(file.costs.size(), 1U);
  EXPECT_EQ(file.costs[0].line, 2U);
  EXPECT_EQ(file.costs[0].self.weight, kSecond);
}

// A construct's body is a function of its own, with frames on the pragma's line. Its caller has frames there, too.
TEST_F(SourceTest, ASampleCountsOnceForALine) {
  MadeUpRun run(1, kSecond);
  const std::string path = Write("b.c", "int main(void) {\n\n#pragma omp parallel\n  work();\n}\n");
  const analyze::FunctionId caller = run.view.frames.AddFunction({"main", "main", path, 1, 0});
  const analyze::FunctionId body = run.view.frames.AddFunction({"main [omp parallel b.c:3]", "", path, 3, 0});
  const analyze::PathId outer =
      run.view.paths.Child(analyze::kEmptyPath, run.view.frames.AddLocation({0, 1}, {{caller, 3}}));
  const analyze::PathId at_end = run.view.paths.Child(outer, run.view.frames.AddLocation({0, 1}, {{body, 3}}));
  const analyze::PathId at_work = run.view.paths.Child(outer, run.view.frames.AddLocation({0, 1}, {{body, 4}}));
  for (const analyze::PathId path_id : {at_end, at_work}) {
    analyze::ViewSample sample{};
    sample.path = path_id;
    sample.cost.samples = 1;
    sample.cost.weight = kSecond;
    run.view.samples.push_back(sample);
  }
  const std::vector<SourceFile> files = ReadSources(run.view, model::Symbolizer(), {});
  ASSERT_EQ(files.size(), 1U);
  ASSERT_EQ(files[0].costs.size(), 2U);
  EXPECT_EQ(files[0].costs[0].self.weight, kSecond);
  EXPECT_EQ(files[0].costs[0].total.weight, 2 * kSecond);
  EXPECT_EQ(files[0].costs[1].self.weight, kSecond);
  EXPECT_EQ(files[0].costs[1].total.weight, kSecond);
}

// A program that was built elsewhere: its source is below a given folder, or below the current folder.
TEST_F(SourceTest, IsFoundBelowOtherFolders) {
  Write("moved.c", "int f(void) {\n  return 2;\n}\n");
  const SourceFile given = Read("/build/src/moved.c", {"/nowhere", ::testing::TempDir()});
  ASSERT_EQ(given.lines.size(), 3U);
  EXPECT_NE(given.read_from.find("/moved.c"), std::string::npos);
  EXPECT_TRUE(Read("/build/src/moved.c").lines.empty());
  ASSERT_EQ(chdir(::testing::TempDir().c_str()), 0);
  EXPECT_EQ(Read("/build/src/moved.c").read_from, "moved.c");
}

TEST_F(SourceTest, OfALongFileOnlyLinesNearby) {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += "line\n";
  const SourceFile file = Read(Write("long.cc", text));
  EXPECT_GT(file.lines.size(), 10U);
  EXPECT_LT(file.lines.size(), 100U);
}

// A stranger's profile may name any file. Files that are not source stay out of a page that may be passed on.
TEST_F(SourceTest, ReadsNothingButSource) {
  const std::string secret = Write("secret", "password\n\n\n");
  const std::string link = ::testing::TempDir() + "/pipe.c";
  mkfifo(link.c_str(), 0600);
  for (const std::string& path :
       {secret, std::string("/etc/passwd"), std::string("unwritten.c"), std::string("/nowhere/unwritten.c"), link,
        Write("binary.c", std::string("a\0b\n\n", 5)), std::string("/usr/include/c++/../../../etc/passwd")}) {
    const SourceFile file = Read(path);
    EXPECT_TRUE(file.lines.empty()) << path;
    EXPECT_NE(file.unreadable, "") << path;
  }
  unlink(link.c_str());
}

}  // namespace
}  // namespace ompprof::report
