#include "profiler/cli/commands/commands.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "profiler/analyze/account/annotation.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/files/newest_run.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/effects.h"
#include "profiler/cli/options/selection_options.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/terminal.h"
#include "profiler/report/annotate/annotation.h"
#include "profiler/report/annotate/target.h"

namespace ompprof::cli {
namespace {

constexpr char kAnnotateExamples[] =
    "Examples:\n"
    "  ompprof annotate relax run.ompprof                  lines of relax and of its constructs\n"
    "  ompprof annotate --asm --context=8 relax run.ompprof\n"
    "  ompprof annotate --source-path=$HOME/src solve.c run.ompprof\n"
    "  ompprof annotate --format=json relax run.ompprof | jq '.files[].lines[] | [.line, .self_cpu_ns, .text]'\n";

struct AnnotateArguments {
  std::string name;
  std::vector<std::string> files;
  std::string view = "user";
  std::string format = "text";
  analyze::Selection selection;
  bool no_cache = false;
  bool all_runs = false;
  report::AnnotateOptions text;
  OutputOptions output;
};

int Run(const CLI::App& command, AnnotateArguments options) {
  const bool json = options.format == "json";
  if (!AllHaveEffect(command, {{"--source", !json, "with --format=json, which has the source lines"},
                               {"--min-percent", !json, "with --format=json, which has every line with a cost"},
                               {"--context", !json, "with --format=json"},
                               {"--objdump", options.text.code || (!json && !options.text.source), "without --asm"},
                               {"--width", !json, "with --format=json"},
                               {"--color", !json || options.output.color == "never", "with --format=json"}}))
    return kUsage;
  Loaded loaded(OpenCache(options.no_cache));
  const analyze::ViewKind kind = options.view == "machine" ? analyze::ViewKind::kMachine : analyze::ViewKind::kUser;
  LoadRequest request;
  request.kind = kind;
  request.all_runs = options.all_runs;
  request.selection = options.selection;
  const int status = Load(options.files, request, &loaded);
  const analyze::View& view = loaded.view;
  if (view.run.empty()) return status;
  const std::vector<bool> meant = report::FunctionsMeant(view, options.name);
  if (std::find(meant.begin(), meant.end(), true) == meant.end()) {
    Complain("no function or source file in the profile is called '" + options.name +
             "'; `ompprof report --top` lists the functions" +
             (kind == analyze::ViewKind::kUser ? ", and --view=machine adds the OpenMP runtime's functions" : ""));
    return kUsage;
  }
  options.text.style = StyleOf(options.output);
  const analyze::Annotation annotation = analyze::Annotate(view, meant);
  const std::string text = json
                               ? report::AnnotateJson(view, annotation, options.name, &loaded.symbolizer, options.text)
                               : report::AnnotateText(view, annotation, options.name, &loaded.symbolizer, options.text);
  if (json) options.output.no_pager = true;
  const int printed = Print(text, options.output);
  return printed != kSuccess ? printed : status;
}

}  // namespace

void AddAnnotateCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<AnnotateArguments>();
  CLI::App* command = app->add_subcommand("annotate", "Show the cost of a function's source lines and instructions");
  command
      ->add_option("FUNCTION|SOURCE", options->name, "Name of a function or of a source file, or a regular expression")
      ->required();
  command->add_option("FILE", options->files, kFilesHelp)->required();
  constexpr char kGroup[] = "Contents";
  command->add_flag("--source", options->text.source, "Source lines (the default where lines are known)")
      ->group(kGroup);
  command->add_flag("--asm", options->text.code, "Instructions")->group(kGroup);
  command
      ->add_option("--min-percent", options->text.min_percent,
                   "Show lines and instructions with at least this share of the whole, in percent")
      ->check(Between(0, 100))
      ->capture_default_str()
      ->group(kGroup);
  command->add_option("--context", options->text.context, "Lines or instructions to show around each of these")
      ->type_name("N")
      ->check(Whole())
      ->capture_default_str()
      ->group(kGroup);
  command
      ->add_option(
          "--source-path", options->text.source_folders,
          "Folder with source files; may be given several times (default: the folders in the debug information)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group(kGroup);
  command->add_option("--objdump", options->text.objdump, "Disassembler: objdump of binutils or of LLVM")
      ->type_name("PROGRAM")
      ->capture_default_str()
      ->group(kGroup);
  command
      ->add_option("--view", options->view,
                   "user: waiting counts at the line that waits; machine: shows the OpenMP runtime's own code too")
      ->check(OneOf({"user", "machine"}))
      ->capture_default_str()
      ->group(kGroup);
  AddSelectionOptions(command, &options->selection, kGroup);
  command
      ->add_option("--format", options->format, "text; json: every line with a cost, and with --asm every instruction")
      ->check(OneOf({"text", "json"}))
      ->capture_default_str()
      ->group("Output");
  AddOutputOptions(command, &options->output);
  AddCacheOption(command, &options->no_cache);
  AddAllRunsOption(command, &options->all_runs);
  command->footer(kAnnotateExamples);
  command->callback([command, options, status] { *status = Run(*command, *options); });
}

}  // namespace ompprof::cli
