#include "tests/fuzz/show_everything.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "profiler/analyze/account/annotation.h"
#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/account/what_if.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/builder/build_view.h"
#include "profiler/analyze/builder/select.h"
#include "profiler/analyze/compare/diff.h"
#include "profiler/analyze/compare/scaling.h"
#include "profiler/analyze/view/path_filter.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/header_facts.h"
#include "profiler/model/merge.h"
#include "profiler/report/annotate/annotation.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/diff/diff.h"
#include "profiler/report/html/html_page.h"
#include "profiler/report/html/page_data.h"
#include "profiler/report/sections/info.h"
#include "profiler/report/sections/live.h"
#include "profiler/report/sections/prediction.h"
#include "profiler/report/sections/recording.h"
#include "profiler/report/sections/scaling.h"
#include "profiler/report/whole/csv_report.h"
#include "profiler/report/whole/json_report.h"
#include "profiler/report/whole/text_report.h"
#include "tests/fuzz/output_checks.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/report/export_texts.h"

namespace ompprof::fuzz {
namespace {

using analyze::View;
using test::CallgrindText;
using test::FirefoxText;
using test::FoldedText;
using test::HatchetText;
using test::PprofBytes;
using test::SpeedscopeText;
using test::TraceEventsText;

uint64_t SamplesOf(const model::ProcessProfile& profile) {
  uint64_t samples = 0;
  for (const model::SampleRow& row : profile.samples) samples += row.cost.samples;
  return samples;
}

void Text(const View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
          const analyze::Answers& answers) {
  report::TextOptions options;
  RequireTerminalText("report", report::TextReport(view, summary, symbolizer, options, &answers), false);
  options.full = true;
  RequireTerminalText("all tables", report::TextReport(view, summary, symbolizer, options, &answers), false);
  RequireTerminalText("report without answers", report::TextReport(view, summary, symbolizer, options), false);
  options.tree = options.top = options.threads = options.locks = options.full_names = options.lines = true;
  options.min_percent = 0;
  RequireTerminalText("tables", report::TextReport(view, summary, symbolizer, options, &answers), false);
  options = {};
  options.regions = options.paths = options.states = options.waits = options.blame = options.ranks = options.advice =
      options.devices = true;
  static const auto kAny = analyze::NamePattern::Of(".");
  options.peek = kAny;
  for (const analyze::Dimension by :
       {analyze::Dimension::kThread, analyze::Dimension::kRank, analyze::Dimension::kState, analyze::Dimension::kRegion,
        analyze::Dimension::kPhase}) {
    if (analyze::HasDimension(view, by)) options.by = by;
  }
  options.metric = analyze::Metric::kWait;
  options.style = {true, 80};
  RequireTerminalText("coloured tables", report::TextReport(view, summary, symbolizer, options, &answers), true);
  options.style = {true, 9};
  options.metric = analyze::Metric::kBlame;
  options.tree = true;
  RequireTerminalText("narrow tables", report::TextReport(view, summary, symbolizer, options, &answers), true);
}

void Tables(const View& view, const analyze::Summary& summary, const model::Symbolizer& symbolizer,
            const analyze::Answers& answers) {
  RequireCsv("csv functions", report::CsvFunctions(view, symbolizer));
  RequireCsv("csv functions by thread", report::CsvFunctions(view, symbolizer, true, analyze::Dimension::kThread));
  RequireCsv("csv regions", report::CsvRegions(view));
  RequireCsv("csv threads", report::CsvThreads(view, summary));
  RequireCsv("csv locks", report::CsvLocks(view, answers.locks));
  RequireCsv("csv waits", report::CsvWaits(view));
  RequireCsv("csv states", report::CsvStates(view));
  RequireCsv("csv devices", report::CsvDevices(view));
}

void Exports(const View& view, const model::Symbolizer& symbolizer) {
  RequireFolded("folded", FoldedText(view));
  RequireFolded("folded by phase", FoldedText(view, true));
  RequireCallgrind(CallgrindText(view, symbolizer), view.total_weight);
  RequireJson("firefox", FirefoxText(view, symbolizer));
  RequireJson("hatchet", HatchetText(view));
  RequireJson("speedscope", SpeedscopeText(view));
  if (!view.timed.empty()) RequireJson("perfetto", TraceEventsText(view));
  RequirePprof(PprofBytes(view, symbolizer), view.total_samples);
}

void Annotated(const View& view, model::Symbolizer* symbolizer) {
  const analyze::Annotation annotation = analyze::Annotate(view, std::vector<bool>(view.frames.function_count(), true));
  report::AnnotateOptions margins;
  margins.source = margins.code = true;
  margins.objdump = "/nowhere/objdump";
  margins.min_percent = 0;
  RequireTerminalText("annotate", report::AnnotateText(view, annotation, "all", symbolizer, margins), false);
  RequireJson("annotate json", report::AnnotateJson(view, annotation, "all", symbolizer, margins));
}

void Predictions(const View& view, const analyze::Efficiency& efficiency) {
  if (!efficiency.known) return;
  const analyze::WhatIf what_if(view, efficiency);
  std::vector<analyze::Prediction> predictions = {
      what_if.WithThreads(1), what_if.WithThreads(1000000),
      what_if.WithoutLock([](const analyze::WaitTotal& wait) { return wait.wait_id != 0; })};
  for (const analyze::Region& region : view.regions) {
    predictions.push_back(what_if.Balanced(region));
    predictions.push_back(what_if.Dynamic(region, 1));
    predictions.push_back(what_if.Dynamic(region, UINT64_MAX));
    const std::string& name = view.frames.function(region.construct).name;
    analyze::FindRegions(view, name);
    RequireTerminalText("whatif", report::PredictionText(predictions.back(), report::Printable(name)), false);
    RequireJson("whatif json", report::PredictionJson(predictions.back(), name));
  }
  for (const analyze::Prediction& prediction : predictions)
    RequireJson("whatif json", report::PredictionJson(prediction, "?"));
}

// As one of two runs: another has one more thread.
void Scaling(const View& view) {
  std::vector<analyze::ScalingRun> runs(2, analyze::MeasureScalingRun(view, nullptr));
  if (!runs[0].why_not.empty()) return;
  ++runs[1].threads;
  const analyze::Scaling scaling = analyze::MeasureScaling(runs);
  report::ScalingOptions options;
  options.command = "program";
  options.extrapolation = analyze::Extrapolate(scaling, runs, 1000);
  RequireTerminalText("scale", report::ScalingText(scaling, options), false);
  RequireJson("scale json", report::ScalingJson(scaling, options));
  report::ScalingCsv(scaling);
}

// Compared with itself, nothing is slower or faster.
void Difference(const View& view, bool nanoseconds) {
  const analyze::RunFigures run = analyze::MeasureRun(view);
  const analyze::Diff diff = analyze::Compare({run}, {run});
  for (const analyze::FunctionDiff& function : diff.functions) {
    if (function.self.beyond_noise() || function.total.beyond_noise())
      Fail("diff", "a function is slower than itself: " + function.name);
  }
  report::DiffTextOptions options;
  options.nanoseconds = nanoseconds;
  RequireTerminalText("diff", report::DiffText(diff, "before", "after", options), false);
  RequireJson("diff json",
              report::DiffJson(diff, nanoseconds ? "nanoseconds" : "events", analyze::FindRegressions(diff, 0)));
  const analyze::Diff none = analyze::Compare({analyze::RunFigures()}, {run, run});
  RequireTerminalText("diff of nothing", report::DiffText(none, "before", "after", options), false);
  RequireJson("diff json of nothing", report::DiffJson(none, "events", analyze::FindRegressions(none, 0)));
}

// Processes that are shown together have figures of one kind.
std::vector<const model::ProcessProfile*> Comparable(const std::vector<model::ReadResult>& results) {
  std::vector<const model::ProcessProfile*> processes;
  for (const model::ReadResult& result : results) {
    if (processes.empty() || model::Measured(result.profile.header) == model::Measured(processes[0]->header))
      processes.push_back(&result.profile);
  }
  return processes;
}

void Inform(const std::vector<model::ReadResult>& results) {
  report::JsonText json;
  json.BeginArray();
  for (const model::ReadResult& result : results) {
    const analyze::ProcessFacts facts = analyze::FactsOf(result.profile);
    report::InfoJson(facts, facts.file, result.status.sentence(), &json);
    RequireTerminalText("info", report::InfoText(facts, result.status.sentence()), false);
    RequireTerminalText("command", report::CommandLine(facts), false);
  }
  json.EndArray();
  RequireJson("info json", json.text());
}

// Bytes of a file that exists for one call.
class TemporaryFile {
 public:
  TemporaryFile() {
    const char* base = std::getenv("TEST_TMPDIR");
    path_ = std::string(base != nullptr ? base : "/tmp") + "/fuzz-" + std::to_string(getpid());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

using Identities = std::map<model::ProcessIdentity, uint64_t>;  // samples, of the first of each

Identities IdentitiesOf(const std::vector<model::ReadResult>& results) {
  Identities identities;
  for (const model::ReadResult& result : results)
    identities.emplace(model::IdentityOf(result.profile.header), SamplesOf(result.profile));
  return identities;
}

}  // namespace

std::vector<model::ReadResult> ReadLog(const std::string& bytes) {
  constexpr size_t kMost = 8;
  std::vector<model::ReadResult> results;
  model::ReadProfiles("fuzz", test::FromMemory(bytes), [&](model::ReadResult result) {
    RequireTerminalText("status", report::Printable(result.status.sentence()), false);
    if (result.usable && results.size() < kMost) results.push_back(std::move(result));
  });
  return results;
}

void ShowEverything(const std::vector<model::ReadResult>& results) {
  const std::vector<const model::ProcessProfile*> processes = Comparable(results);
  if (processes.empty()) return;
  Inform(results);
  uint64_t samples = 0;
  for (const model::ProcessProfile* process : processes) samples += SamplesOf(*process);
  model::Symbolizer user_symbolizer, machine_symbolizer;
  View user = analyze::BuildView(processes, analyze::ViewKind::kUser, &user_symbolizer);
  View machine = analyze::BuildView(processes, analyze::ViewKind::kMachine, &machine_symbolizer);
  for (View* view : {&user, &machine}) {
    model::Symbolizer* symbolizer = view == &user ? &user_symbolizer : &machine_symbolizer;
    // The samples of a view are the samples of the profile, whatever its content.
    if (view->total_samples != samples) Fail("view", "it has samples that the profile has not");
    const analyze::Answers answers = analyze::Answer(view, symbolizer);
    const analyze::Summary summary = analyze::Summarize(*view);
    Text(*view, summary, *symbolizer, answers);
    RequireJson("json", report::JsonReport(*view, summary, *symbolizer, &answers, analyze::Dimension::kState));
    Tables(*view, summary, *symbolizer, answers);
    Exports(*view, *symbolizer);
    Annotated(*view, symbolizer);
    Difference(*view, view->run.weighs_ns());
    if (view != &user) continue;
    Predictions(*view, answers.efficiency);
    Scaling(*view);
    const report::PageRun run{&user, &summary, &user_symbolizer, &answers};
    const std::string data = report::PageData(run, {&machine, nullptr, &machine_symbolizer, nullptr}, &run);
    RequireJson("page's data", data);
    const std::string title = report::BaseName(user.run.first().program) + " - ompprof";
    RequirePage(report::HtmlPage(data, title), data, title);
  }
  static const auto kHidden = *analyze::NamePattern::Of("0x40");
  static const auto kShown = *analyze::NamePattern::Of("0x5|omp");
  analyze::FilterSamples(&kShown, &kHidden, &user);
  analyze::HideFunctions(kHidden, &machine);
  analyze::ShowFrom(kShown, &machine);
  RequireFolded("filtered", FoldedText(user) + FoldedText(machine));
}

void Merge(const std::string& bytes) {
  static const TemporaryFile file;
  const std::string input = file.path() + ".ompprof", output = file.path() + ".merged";
  std::ofstream(input, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const model::MergeResult result = model::MergeProfiles({input, input}, output);
  if (result.status.ok()) {
    std::vector<model::ReadResult> merged;
    model::ReadProfiles(output, [&](model::ReadResult read) {
      if (read.usable) merged.push_back(std::move(read));
    });
    std::vector<model::ReadResult> separate;
    model::ReadProfiles(input, [&](model::ReadResult read) {
      if (read.usable) separate.push_back(std::move(read));
    });
    if (IdentitiesOf(merged) != IdentitiesOf(separate)) Fail("merge", "processes or samples were lost or added");
    if (result.processes != merged.size()) Fail("merge", "the count of processes is wrong");
  }
  std::remove(input.c_str());
  std::remove(output.c_str());
}

void Follow(const std::string& bytes, size_t first_part) {
  size_t at = 0, limit = std::min(first_part, bytes.size());
  model::LiveProfile live("fuzz", [&](char* buffer, size_t size) -> long {
    const size_t count = std::min(size, limit - at);
    bytes.copy(buffer, count, at);
    at += count;
    return static_cast<long>(count);
  });
  model::Symbolizer symbolizer;
  report::LiveText text;
  for (int part = 0; part < 2; ++part, limit = bytes.size()) {
    const bool fine = live.Read().ok();
    if (live.has_header()) {
      symbolizer.ForgetProcesses();
      const View view = analyze::BuildView({&live.profile()}, analyze::ViewKind::kUser, &symbolizer);
      RequireTerminalText("top", text.Picture(view, "running", {}), false);
    }
    if (!fine) return;
  }
}

}  // namespace ompprof::fuzz
