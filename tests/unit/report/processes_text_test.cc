// Output about processes rather than about code: info, ranks, comparisons, the live picture. The tests have known
// answers, and names from a hostile file.
#include <gtest/gtest.h>

#include <algorithm>

#include "nlohmann/json.hpp"
#include "profiler/analyze/builder/build_view.h"
#include "profiler/report/diff/diff.h"
#include "profiler/report/sections/info.h"
#include "profiler/report/sections/live.h"
#include "profiler/report/sections/ranks.h"
#include "proto/ompt_state.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof::report {
namespace {

constexpr char kHostile[] = "\033[2Jname\a";

bool HasControlCharacters(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f; });
}

// A process whose names are all hostile.
test::ProfileBuilder Hostile() {
  test::ProfileBuilder builder{test::ProfileBuilder::Empty()};
  Record record;
  Header* header = record.mutable_header();
  header->set_format_version(FORMAT_CURRENT);
  header->set_program(kHostile);
  header->add_argv(kHostile);
  header->set_host(kHostile);
  header->set_rank(kHostile);
  header->set_pid(42);
  header->set_source(kHostile);
  header->set_clock(kHostile);
  header->set_unwinder(kHostile);
  header->set_task_context(kHostile);
  header->set_collector_version(kHostile);
  header->add_settings(kHostile);
  builder.Append(record);
  record.Clear();
  Runtime* runtime = record.mutable_runtime();
  runtime->set_version(kHostile);
  runtime->add_missing_entry_points(kHostile);
  Runtime::Callback* callback = runtime->add_callbacks();
  callback->set_name(kHostile);
  callback->set_result(77);
  builder.Append(record);
  builder.AddModule(1, kHostile, 0x1000, 0x1000);
  record.Clear();
  record.mutable_thread()->set_id(1);
  record.mutable_thread()->set_name(kHostile);
  record.mutable_thread()->set_kind(static_cast<Thread::Kind>(99));
  builder.Append(record);
  record.Clear();
  record.mutable_note()->set_text(kHostile);
  builder.Append(record);
  record.Clear();
  record.mutable_lost()->add_reason(88);
  record.mutable_lost()->add_samples(3);
  builder.Append(record);
  record.Clear();
  record.mutable_footer()->set_reason(kHostile);
  builder.Append(record);
  return builder;
}

model::ProcessProfile ReadAll(const test::ProfileBuilder& builder) {
  std::string bytes = builder.Bytes();
  if (bytes.rfind(model::kMagic, 0) != 0) bytes = model::kMagic + bytes;
  return model::ReadProfile("x", test::FromMemory(bytes)).profile;
}

TEST(Info, ATextAndItsFigures) {
  test::ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 1000000);
  builder.AddModule(7, "/lib/libomp.so", 0x1000, 0x1000, true, "\x12\xab");
  builder.AddSample({.tree = 1,
                     .node = 0,
                     .thread = 1,
                     .state = OmptState::kWorkParallel,
                     .splice = 0,
                     .region = 0,
                     .wait_id = 0,
                     .samples = 1234,
                     .weight = 5000000});
  builder.AddFooter(1234, 2000000);
  const analyze::ProcessFacts process = analyze::FactsOf(ReadAll(builder));
  const std::string text = InfoText(process, "");
  EXPECT_NE(text.find("  command     ./team\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  process     42 (parent 0) on host\n"), std::string::npos);
  EXPECT_NE(text.find(", 1.00 s wall, 2.00 ms CPU\n"), std::string::npos);
  EXPECT_NE(text.find("  ended       exit\n"), std::string::npos);
  EXPECT_NE(text.find("  samples     1,234, 5.00 ms in all; 5,000 on average at this rate\n"), std::string::npos);
  EXPECT_NE(text.find("  7  12ab      /lib/libomp.so  (OpenMP runtime)\n"), std::string::npos);

  JsonText json;
  InfoJson(process, "x", "", &json);
  const nlohmann::json parsed = nlohmann::json::parse(json.text());
  EXPECT_EQ(parsed["samples"], 1234);
  EXPECT_EQ(parsed["weight"], 5000000);
  EXPECT_EQ(parsed["modules"][0]["build_id"], "12ab");
  EXPECT_EQ(parsed["records"]["thread"]["count"], 1);
  EXPECT_EQ(parsed["bytes"].get<size_t>() + model::kMagicSize, builder.Bytes().size());
}

TEST(Info, HostileNames) {
  const analyze::ProcessFacts process = analyze::FactsOf(ReadAll(Hostile()));
  EXPECT_FALSE(HasControlCharacters(InfoText(process, "damage")));
  JsonText json;
  InfoJson(process, kHostile, "damage", &json);
  EXPECT_EQ(nlohmann::json::parse(json.text())["program"], kHostile);
}

std::string Picture(LiveText* live, const model::ProcessProfile& process, const std::string& state) {
  model::Symbolizer symbolizer;
  return live->Picture(analyze::BuildView({&process}, analyze::ViewKind::kUser, &symbolizer), state, {});
}

TEST(Live, NewAndTotalFigures) {
  test::ProfileBuilder builder;
  builder.AddThread(1, Thread::INITIAL, 1000000);
  const auto add = [&](uint64_t address, uint32_t samples) {
    const uint32_t root = builder.AddNode(1, 0, NODE_ROOT);
    builder.AddSample({.tree = 1,
                       .node = builder.AddNode(1, root, NODE_FRAME, address),
                       .thread = 1,
                       .state = OmptState::kWorkParallel,
                       .splice = 0,
                       .region = 0,
                       .wait_id = 0,
                       .samples = samples,
                       .weight = samples * 1000000u});
  };
  add(0x100000, 300);
  add(0x200000, 100);
  LiveText live;
  const std::string first = Picture(&live, ReadAll(builder), "running");
  EXPECT_NE(first.find("samples 400 (400 in the last "), std::string::npos) << first;
  EXPECT_NE(first.find("75.0 %  300.00 ms  75.0 %      75.0 %  <generated code 0x100000>"), std::string::npos) << first;
  add(0x200000, 100);
  const std::string second = Picture(&live, ReadAll(builder), "running");
  EXPECT_NE(second.find("samples 500 (100 in the last "), std::string::npos) << second;
  EXPECT_NE(second.find("100.0 %  200.00 ms  40.0 %      40.0 %  <generated code 0x200000>"), std::string::npos)
      << second;
  EXPECT_LT(second.find("0x200000"), second.find("0x100000"));

  LiveText hostile;
  EXPECT_FALSE(HasControlCharacters(Picture(&hostile, ReadAll(Hostile()), kHostile)));
}

TEST(Ranks, FewOfMany) {
  analyze::Ranks ranks;
  for (uint64_t i = 0; i < 100; ++i) {
    analyze::RankCost rank;
    rank.program = "solver";
    rank.rank = std::to_string(i);
    rank.host = kHostile;
    rank.threads = 2;
    rank.useful = (i + 1) * 1000000000;
    rank.duration_ns = 100000000000;
    ranks.ranks.push_back(rank);
  }
  ranks.jobs.push_back({"solver", 1, 0, 100, 100000000000});
  const std::string text = RanksText(ranks, true, 4);
  EXPECT_FALSE(HasControlCharacters(text));
  EXPECT_NE(text.find("\n  solver   rank 0 "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  solver   rank 1 "), std::string::npos);
  EXPECT_EQ(text.find("\n  solver   rank 2 "), std::string::npos);
  EXPECT_NE(text.find("\n  solver   rank 99 "), std::string::npos);
  EXPECT_NE(text.find("... and 96 between"), std::string::npos);
  // 100 / 50.5 - 1.
  EXPECT_NE(text.find("Imbalance across them 98.0 %: rank 99 has 100.00 s"), std::string::npos);
  EXPECT_NE(text.find("  50.0 %"), std::string::npos);  // of two threads' 200 s
  EXPECT_EQ(RanksText(ranks, true, 0).find("between"), std::string::npos);
  ranks.ranks.resize(1);
  ranks.jobs[0].count = 1;
  EXPECT_EQ(RanksText(ranks, true, 4), "");
}

TEST(Ranks, JobsAndOthers) {
  analyze::Ranks ranks;
  const auto add = [&](const std::string& program, uint32_t job, const std::string& rank, uint64_t useful_s) {
    analyze::RankCost cost;
    cost.program = program;
    cost.job = job;
    cost.rank = rank;
    cost.pid = 40 + ranks.ranks.size();
    cost.threads = 1;
    cost.useful = useful_s * 1000000000;
    ranks.ranks.push_back(cost);
  };
  add("solver", 1, "0", 8);
  add("solver", 1, "1", 12);
  add(kHostile, 2, "", 1);
  ranks.jobs = {{"solver", 1, 0, 2, 20000000000}, {kHostile, 2, 2, 1, 20000000000}};
  ranks.others = {{"sh", "", 7, 0}, {"mpirun", "", 8, 0}, {"sh", "", 9, 0}, {kHostile, "", 10, 0}};
  std::string text = RanksText(ranks, true, 0);
  EXPECT_FALSE(HasControlCharacters(text));
  EXPECT_NE(text.find("  1  rank 1 "), std::string::npos) << text;
  EXPECT_NE(text.find(" 2  process 42 "), std::string::npos) << text;
  EXPECT_NE(text.find("4 others, not counted in the table: "), std::string::npos) << text;
  EXPECT_NE(text.find("mpirun, sh (2)"), std::string::npos) << text;
  EXPECT_NE(text.find("Imbalance across job 1 20.0 %: rank 1 has 12.00 s of useful time, the mean is 10.00 s"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("across job 2"), std::string::npos) << text;

  // Programs in turn: no job has an imbalance.
  ranks.ranks.erase(ranks.ranks.begin());
  ranks.jobs = {{"solver", 1, 0, 1, 1}, {kHostile, 2, 1, 1, 1}};
  text = RanksText(ranks, true, 0);
  EXPECT_EQ(text.find("max/mean"), std::string::npos) << text;
  EXPECT_EQ(text.find("Imbalance"), std::string::npos) << text;

  JsonText json;
  json.BeginObject();
  RanksJson({}, ranks, &json);
  json.EndObject();
  const nlohmann::json parsed = nlohmann::json::parse(json.text());
  EXPECT_EQ(parsed["rank_imbalance"]["useful"], 0);
  EXPECT_EQ(parsed["jobs"][1]["ranks"], 1);
  EXPECT_EQ(parsed["launchers"][1]["program"], "mpirun");
  EXPECT_EQ(parsed["launchers"][1]["process"], 8);
}

// Rank 1 is late in a region by 4 s and rank 0 outside of regions by 1 s. Their imbalance within is 12 x 2 / 18 - 1.
TEST(Ranks, RegionsAndTheirLateRanks) {
  constexpr uint64_t kSecond = 1000000000;
  analyze::View view;
  view.run.processes.emplace_back().sampling.weight_unit = "nanoseconds";
  const analyze::FunctionId solve = view.frames.AddFunction({"solve [omp parallel a.c:1]", "", "a.c", 1, 0});
  analyze::Ranks ranks;
  for (int i = 0; i < 2; ++i) {
    analyze::RankCost rank;
    rank.program = "solver";
    rank.rank = std::to_string(i);
    rank.threads = 2;
    rank.useful = 18 * kSecond;
    rank.useful_max = 12 * kSecond;
    rank.mpi = (5 - i) * kSecond;
    ranks.ranks.push_back(rank);
  }
  ranks.jobs = {{"solver", 1, 0, 2, 40 * kSecond}};
  ranks.regions = {{solve, 1, 16 * kSecond, 0, 1, 12 * kSecond, 1200, 5 * kSecond, 0},
                   {analyze::kNoFunction, 1, 4 * kSecond, 7 * kSecond, 0, 3 * kSecond, 300, 4 * kSecond, 1}};
  const std::string text = RankRegionsText(view, ranks, {});
  EXPECT_NE(
      text.find("\n  rank 1  12.00 s  8.00 s   4.00 s   50.0 %       -         5.00 s  rank 0: 5.00 s  solve [omp "
                "parallel a.c:1]\n"
                "  rank 0   3.00 s  2.00 s   1.00 s   50.0 %       -         4.00 s  rank 1: 4.00 s  <no region>\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("does not tell for which rank"), std::string::npos) << text;
  EXPECT_NE(RanksText(ranks, true, 0).find("; within them 33.3 % on average, at most 33.3 % (rank 0)"),
            std::string::npos)
      << RanksText(ranks, true, 0);

  JsonText json;
  json.BeginObject();
  RanksJson(view, ranks, &json);
  json.EndObject();
  const nlohmann::json first = nlohmann::json::parse(json.text())["rank_regions"][0];
  EXPECT_EQ(first["name"], "solve [omp parallel a.c:1]");
  EXPECT_EQ(first["late_rank"], "1");
  EXPECT_EQ(first["late_by_cpu_ns"], 4 * kSecond);
  EXPECT_EQ(first["others_mpi_cpu_ns"], 5 * kSecond);
  EXPECT_EQ(first["most_mpi_rank"], "0");
  EXPECT_FALSE(first.contains("thread_imbalance")) << "no events of the region";

  for (analyze::RankCost& rank : ranks.ranks) rank.mpi = 0;
  EXPECT_EQ(RankRegionsText(view, ranks, {}).find("MPI"), std::string::npos);
  ranks.regions.clear();
  EXPECT_EQ(RankRegionsText(view, ranks, {}), "");
}

TEST(Diff, WordsAndSigns) {
  analyze::RunFigures before;
  analyze::RunFigures after;
  const auto function = [](const std::string& name, uint64_t samples) {
    analyze::FunctionFigures figures;
    figures.name = name;
    figures.file = "a.c";
    figures.self.AddSamples(samples, samples * 1000000);
    figures.total = figures.self;
    return figures;
  };
  before.functions = {function("hot", 100), function(kHostile, 400)};
  after.functions = {function("hot", 400), function(kHostile, 100)};
  before.wall = after.wall = analyze::Amount::Unknown(1e9);
  const analyze::Diff diff = analyze::Compare({before}, {after});
  const std::string text = DiffText(diff, kHostile, "after", {});
  EXPECT_FALSE(HasControlCharacters(text));
  EXPECT_NE(text.find("100.00 ms  400.00 ms  +300.00 ms  +300.0 %  ± 43.83 ms  slower"), std::string::npos) << text;
  EXPECT_NE(text.find("400.00 ms  100.00 ms  -300.00 ms   -75.0 %  ± 43.83 ms  faster"), std::string::npos) << text;
  EXPECT_NE(text.find("Beyond noise: 2 of 2 functions, 0 of 0 regions, 0 of 0 states"), std::string::npos) << text;
  const nlohmann::json parsed = nlohmann::json::parse(DiffJson(diff, "nanoseconds", FindRegressions(diff, 10)));
  EXPECT_EQ(parsed["functions"][0]["self"]["from"], "sampled");
  EXPECT_EQ(parsed["wall"]["verdict"], "unknown");
  EXPECT_FALSE(parsed["wall"].contains("low"));
  EXPECT_EQ(parsed["regressions"][0]["what"], "function hot (a.c)");
  EXPECT_DOUBLE_EQ(parsed["regressions"][0]["percent"].get<double>(), 300);
}

}  // namespace
}  // namespace ompprof::report
