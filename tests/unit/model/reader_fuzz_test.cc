// Hostile bytes: mutated and cut profiles, and bytes that never were one, through the reader, the views and every
// report. Nothing may crash, hang or take memory out of proportion; the same seed gives the same bytes every time.
#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "profiler/analyze/annotation.h"
#include "profiler/analyze/answers.h"
#include "profiler/analyze/path_filter.h"
#include "profiler/analyze/summary.h"
#include "profiler/analyze/view.h"
#include "profiler/report/annotate_text.h"
#include "profiler/report/csv_report.h"
#include "profiler/report/folded.h"
#include "profiler/report/json_report.h"
#include "profiler/report/pprof.h"
#include "profiler/report/text_report.h"
#include "tests/unit/model/profile_builder.h"

namespace ompprof {
namespace {

// A profile with every kind of record, and contexts that refer to each other in circles.
std::string Seed(std::mt19937* random) {
  test::ProfileBuilder builder;
  const auto small = [&](uint32_t limit) { return std::uniform_int_distribution<uint32_t>(0, limit)(*random); };
  builder.AddModule(1, "/nowhere/a.out", 0x400000, 0x1000);
  builder.AddModule(2, "/nowhere/libomp.so", 0x500000, 0x1000, true);
  for (uint32_t id = 1; id <= 3; ++id) builder.AddThread(id, static_cast<Thread::Kind>(small(4)), small(1000));
  for (uint32_t i = 0; i < 60; ++i) {
    const uint32_t tree = 1 + small(1);
    static thread_local uint32_t count[3];
    if (i == 0) count[1] = count[2] = 0;
    const uint32_t kind = small(8);
    uint64_t value = 0x400000 + small(0x1fff);
    if (kind == NODE_TASK_CONTEXT) value = uint64_t{1 + small(1)} << 32 | small(30);
    builder.AddNode(tree, small(count[tree]), kind | (small(1) != 0 ? NODE_RUNTIME : 0), value);
    ++count[tree];
  }
  for (uint32_t id = 1; id <= 6; ++id) {
    builder.AddContext(id, 0x400000 + small(0xfff), 1 + small(2), small(30), small(7), small(7));
  }
  for (int i = 0; i < 40; ++i) {
    builder.AddSample({.tree = 1 + small(2),
                       .node = small(35),
                       .thread = small(4),
                       .state = static_cast<int>(small(0x110)) - 1,
                       .splice = small(7),
                       .region = small(7),
                       .wait_id = small(2),
                       .samples = 1,
                       .weight = small(1000)});
  }
  Record record;
  record.mutable_region_stats()->set_codeptr_ra(0x400010);
  record.mutable_region_stats()->set_invocations(3);
  builder.Append(record);
  for (uint32_t i = 0; i < 10; ++i) {
    LockInit* lock = record.mutable_lock_init();
    lock->set_id(1 + small(3));
    lock->set_wait_id(0x400000 + small(0x2fff));
    lock->set_codeptr_ra(0x400000 + small(0x1fff));
    lock->set_tree(small(3));
    lock->set_node(small(35));
    lock->set_splice(small(7));
    builder.Append(record);
    WaitStats* waits = record.mutable_wait_stats();
    waits->set_thread(small(4));
    waits->set_state(0x40 + small(6));
    waits->set_wait_id(0x400000 + small(0x2fff));
    waits->set_codeptr_ra(0x400000 + small(0x1fff));
    waits->set_acquired_at(small(1) * (0x400000 + small(0x1fff)));
    waits->set_lock(small(4));
    waits->set_count(small(2));
    waits->set_total_ns(small(1000));
    builder.Append(record);
  }
  record.mutable_runtime()->set_version("runtime");
  builder.Append(record);
  record.mutable_lost()->add_reason(LOST_BUSY);
  record.mutable_lost()->add_samples(1);
  builder.Append(record);
  record.mutable_note()->set_text("note\x01\xff");
  builder.Append(record);
  record.mutable_events()->add_event(1);
  record.mutable_events()->add_count(1);
  builder.Append(record);
  builder.AddFooter(40, 1000);
  return builder.Bytes();
}

// The samples of a view are those of the profile, whatever the profile says.
void ShowEverything(const std::string& bytes) {
  const model::ReadResult read = model::ReadProfile("fuzz", test::FromMemory(bytes));
  if (!read.usable) return;
  uint64_t samples = 0;
  for (const model::SampleRow& row : read.profile.samples) samples += row.samples;
  for (const analyze::ViewKind kind : {analyze::ViewKind::kUser, analyze::ViewKind::kMachine}) {
    model::Symbolizer symbolizer;
    analyze::View view = analyze::BuildView({&read.profile}, kind, &symbolizer);
    EXPECT_EQ(view.total_samples, samples);
    const analyze::Summary summary = analyze::Summarize(view);
    const analyze::Answers answers = analyze::Answer(&view, &symbolizer);
    report::TextOptions options;
    options.tree = options.top = options.threads = options.locks = true;
    report::TextReport(view, summary, symbolizer, options, &answers);
    report::TextReport(view, summary, symbolizer, {});
    report::JsonReport(view, summary, symbolizer, &answers);
    options = {};
    options.regions = options.paths = options.states = options.waits = options.blame = options.ranks = true;
    options.peek = std::regex(".");
    options.by = analyze::Dimension::kRegion;
    options.style = {true, 80};
    report::TextReport(view, summary, symbolizer, options, &answers);
    for (const std::string& table :
         {report::CsvFunctions(view, symbolizer, true, analyze::Dimension::kThread), report::CsvRegions(view),
          report::CsvThreads(view, summary), report::CsvLocks(view, answers.locks), report::CsvWaits(view),
          report::CsvStates(view)})
      EXPECT_EQ(table.substr(table.size() - 2), "\r\n");
    const std::vector<bool> all(view.frames.function_count(), true);
    report::AnnotateOptions margins;
    margins.source = margins.code = true;
    report::AnnotateText(view, analyze::Annotate(view, all), "all", &symbolizer, margins);
    report::Folded(view);
    report::Pprof(view, symbolizer);
    analyze::HideFunctions(std::regex("0x40"), &view);
    analyze::ShowFrom(std::regex("0x5|omp"), &view);
    report::Folded(view);
  }
}

TEST(ReaderFuzz, WellFormedNonsense) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) ShowEverything(Seed(&random));
}

TEST(ReaderFuzz, ChangedBytes) {
  std::mt19937 random(2);
  for (int round = 0; round < 700; ++round) {
    std::string bytes = Seed(&random);
    const int changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) bytes[8 + random() % (bytes.size() - 8)] = static_cast<char>(random());
    ShowEverything(bytes);
  }
}

TEST(ReaderFuzz, CutAnywhere) {
  std::mt19937 random(3);
  const std::string bytes = Seed(&random);
  for (size_t size = 0; size < bytes.size(); size += 1 + random() % 5) ShowEverything(bytes.substr(0, size));
}

TEST(ReaderFuzz, PiecesMovedAndRepeated) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = Seed(&random);
    const size_t from = 8 + random() % (bytes.size() - 8);
    const size_t size = random() % std::min<size_t>(bytes.size() - from, 200);
    bytes.insert(8 + random() % (bytes.size() - 8), bytes.substr(from, size));
    ShowEverything(bytes);
  }
}

TEST(ReaderFuzz, Noise) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = model::kMagic;
    for (size_t size = random() % 200; size > 0; --size) bytes += static_cast<char>(random());
    ShowEverything(bytes);
  }
}

}  // namespace
}  // namespace ompprof
