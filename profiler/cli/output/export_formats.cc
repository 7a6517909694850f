#include "profiler/cli/output/export_formats.h"

#include <algorithm>

#include "profiler/report/exports/exports.h"
#include "profiler/report/whole/csv_report.h"

namespace ompprof::cli {

using report::Sink;

namespace {

std::vector<ExportFormat> FormatsOfStacks() {
  return {
      {"pprof",
       "gzipped profile.proto",
       {"\x1f\x8b", report::kPprofComment},
       false,
       true,
       FormatTime::kNone,
       [](const Loaded& loaded, bool, const Sink& sink) { report::Pprof(loaded.view, loaded.symbolizer, sink); }},
      {"folded",
       "one line for each stack",
       {},
       true,
       true,
       FormatTime::kNone,
       [](const Loaded& loaded, bool by_phase, const Sink& sink) { report::Folded(loaded.view, by_phase, sink); }},
      {"callgrind",
       "for kcachegrind and callgrind_annotate: functions, lines and calls",
       {"# callgrind format", "creator: ompprof"},
       true,
       true,
       FormatTime::kNone,
       [](const Loaded& loaded, bool, const Sink& sink) { report::Callgrind(loaded.view, loaded.symbolizer, sink); }},
      {"speedscope",
       "JSON for speedscope.app, a profile for each thread",
       {"{\"$schema\":", "\"exporter\":\"ompprof\""},
       true,
       true,
       FormatTime::kShown,
       [](const Loaded& loaded, bool, const Sink& sink) { report::Speedscope(loaded.view, sink); }},
  };
}

std::vector<ExportFormat> OtherFormats() {
  return {
      {"perfetto",
       "JSON for ui.perfetto.dev and chrome://tracing, from a run recorded with --timeline",
       {"{\"displayTimeUnit\":", "\"exporter\":\"ompprof\""},
       true,
       false,
       FormatTime::kNeeded,
       [](const Loaded& loaded, bool, const Sink& sink) { report::TraceEvents(loaded.view, sink); }},
      {"firefox",
       "JSON for profiler.firefox.com, a track for each thread",
       {"{\"meta\":", "\"importedFrom\":\"ompprof\""},
       true,
       true,
       FormatTime::kShown,
       [](const Loaded& loaded, bool, const Sink& sink) { report::Firefox(loaded.view, loaded.symbolizer, sink); }},
      {"hatchet",
       "JSON for hatchet.GraphFrame.from_literal: the call tree",
       {"[{\"frame\":", "\"blame (inc)\":"},
       true,
       true,
       FormatTime::kNone,
       [](const Loaded& loaded, bool, const Sink& sink) { report::Hatchet(loaded.view, sink); }},
      {"otf2",
       "a folder for Vampir and otf2-print, from a run recorded with --timeline; needs libotf2",
       {},
       true,
       false,
       FormatTime::kNeeded,
       nullptr,
       [](const Loaded& loaded, const std::string& path) { return report::Otf2(loaded.view, path); }},
      {"csv-functions",
       "a table of functions for data frames",
       {"name,file,line,module,", "self_cpu_ns"},
       true,
       false,
       FormatTime::kNone,
       [](const Loaded& loaded, bool, const Sink& sink) {
         sink(report::CsvFunctions(loaded.view, loaded.symbolizer));
       }},
      {"csv-regions",
       "a table of regions for data frames",
       {"function,file,line,name,", "invocations"},
       true,
       false,
       FormatTime::kNone,
       [](const Loaded& loaded, bool, const Sink& sink) { sink(report::CsvRegions(loaded.view)); }},
  };
}

}  // namespace

const std::vector<ExportFormat>& ExportFormats() {
  static const std::vector<ExportFormat> kFormats = [] {
    std::vector<ExportFormat> all = FormatsOfStacks();
    for (const ExportFormat& format : OtherFormats()) all.push_back(format);
    return all;
  }();
  return kFormats;
}

const ExportFormat* FindExportFormat(const std::string& name) {
  const std::vector<ExportFormat>& formats = ExportFormats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const auto& format) { return name == format.name; });
  return found == formats.end() ? nullptr : &*found;
}

std::string ExportFormatsHelp() {
  std::string help;
  for (const ExportFormat& format : ExportFormats())
    help += (help.empty() ? "" : "; ") + std::string(format.name) + ": " + format.meaning;
  return help;
}

std::string FormatsWithPaths() {
  std::vector<std::string> names;
  for (const ExportFormat& format : ExportFormats()) {
    if (format.has_paths) names.emplace_back(format.name);
  }
  std::string list = names.front();
  for (size_t i = 1; i < names.size(); ++i) list += (i + 1 == names.size() ? " or " : ", ") + names[i];
  return list;
}

}  // namespace ompprof::cli
