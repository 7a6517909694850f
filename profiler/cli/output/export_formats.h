// The formats of `ompprof export`, in one table. The command, its help and the manual page read it.
#ifndef OMPPROF_PROFILER_CLI_OUTPUT_EXPORT_FORMATS_H_
#define OMPPROF_PROFILER_CLI_OUTPUT_EXPORT_FORMATS_H_

#include <string>
#include <vector>

#include "profiler/cli/files/load.h"
#include "profiler/cli/output/replaceable.h"
#include "profiler/model/status.h"
#include "profiler/report/basics/sink.h"

namespace ompprof::cli {

// What a format makes of a timeline (`record --timeline`).
enum class FormatTime {
  kNone,
  kShown,   // it has the timeline if the profile has one
  kNeeded,  // it is nothing else: refused without a profile that has a timeline
};

struct ExportFormat {
  const char* name;     // the word after --format=
  const char* meaning;  // for --help
  OwnFile own;          // how the command knows an earlier output
  bool is_text;         // may be shown on a terminal
  bool has_paths;       // --fold applies
  FormatTime time;
  // One of the two writes the format: bytes into a sink, or a new folder.
  void (*write)(const Loaded& loaded, bool by_phase, const report::Sink& sink);
  model::Status (*write_folder)(const Loaded& loaded, const std::string& path) = nullptr;
};

// The most used formats first.
const std::vector<ExportFormat>& ExportFormats();

// nullptr: no format has this name.
const ExportFormat* FindExportFormat(const std::string& name);

// "pprof: gzipped profile.proto; folded: ...": the help of --format.
std::string ExportFormatsHelp();

// "pprof, folded or speedscope": the formats that --fold goes with.
std::string FormatsWithPaths();

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OUTPUT_EXPORT_FORMATS_H_
