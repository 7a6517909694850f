#include "profiler/cli/report_command.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "profiler/analyze/answers.h"
#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/summary.h"
#include "profiler/cli/html_report.h"
#include "profiler/cli/load.h"
#include "profiler/report/json_report.h"
#include "profiler/report/text_report.h"

namespace ompprof::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string view = "user";
  std::string format = "text";
  std::string focus;
  std::string ignore;
  std::string html;       // where the page goes; empty: no page
  std::string diff_base;  // what the page compares with
  report::TextOptions text;
};

// False, and a complaint, if `pattern` is no regular expression.
bool Compile(const char* option, const std::string& pattern, std::optional<std::regex>* regex) {
  if (pattern.empty()) return true;
  try {
    regex->emplace(pattern, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    Complain(std::string(option) + ": '" + pattern + "' is not a regular expression");
    return false;
  }
  return true;
}

int Run(Options options) {
  std::optional<std::regex> focus;
  std::optional<std::regex> ignore;
  if (!Compile("--focus", options.focus, &focus) || !Compile("--ignore", options.ignore, &ignore)) return kUsage;

  Loaded loaded;
  const analyze::ViewKind kind = options.view == "machine" ? analyze::ViewKind::kMachine : analyze::ViewKind::kUser;
  int status = Load(options.files, options.html.empty() ? kind : analyze::ViewKind::kUser, &loaded);
  if (loaded.view.processes.empty()) return status;
  const analyze::Answers answers = analyze::Answer(&loaded.view, &loaded.symbolizer);
  analyze::FilterSamples(focus ? &*focus : nullptr, ignore ? &*ignore : nullptr, &loaded.view);
  options.text.filtered = focus || ignore;
  const analyze::Summary summary = analyze::Summarize(loaded.view);
  if (!options.html.empty()) {
    const std::string data = PageDataOf(loaded, answers, summary, focus ? &*focus : nullptr,
                                        ignore ? &*ignore : nullptr, options.diff_base, &status);
    const int written = WritePage(options.html, data, PageTitle(loaded.view));
    return written != kSuccess ? written : status;
  }
  const std::string text = options.format == "json"
                               ? report::JsonReport(loaded.view, summary, loaded.symbolizer, &answers)
                               : report::TextReport(loaded.view, summary, loaded.symbolizer, options.text, &answers);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    Complain("the report cannot be written to standard output");
    return kFailure;
  }
  return status;
}

}  // namespace

void AddReportCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app->add_subcommand("report", "Show where the time of one or several profiles went");
  command->add_option("FILE", options->files, "Profiles that `ompprof record` wrote")->required();
  command->add_flag("--tree", options->text.tree, "Show the call tree");
  command->add_flag("--top", options->text.top, "Show the functions only");
  command->add_flag("--locks", options->text.locks, "Show what locks and criticals were waited for, and who held them");
  command->add_flag("--threads", options->text.threads, "Show each thread");
  command->add_flag("--ranks", options->text.ranks, "Show MPI ranks, or processes, side by side");
  command->add_flag("--regions", options->text.regions,
                    "Show what each parallel region loses, and what could be saved");
  command->add_flag("--waits", options->text.waits, "Show where threads waited, how long, and who came last");
  command->add_flag("--blame", options->text.blame, "Show the functions that others waited for");
  command->add_flag("--advice", options->text.advice, "Show what to change, and what it would save");
  command
      ->add_option(
          "--view", options->view,
          "user: the program as written, workers' paths joined to their regions'; machine: the stacks as they were")
      ->check(CLI::IsMember({"user", "machine"}))
      ->capture_default_str();
  command->add_flag("--lines", options->text.lines, "Tell the lines of a function apart");
  command->add_flag("--full-names", options->text.full_names, "C++ names with parameters and template arguments");
  command->add_option("--focus", options->focus, "Only samples with a function that matches REGEX")->type_name("REGEX");
  command->add_option("--ignore", options->ignore, "No samples with a function that matches REGEX")->type_name("REGEX");
  command->add_option("--min-percent", options->text.min_percent, "Leave out of the tree what has less of the time")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command->add_option("--limit", options->text.limit, "Rows of each table")->type_name("N");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  CLI::Option* html =
      command
          ->add_option("--html", options->html,
                       "Write one web page with all views, which needs no network and no other file; - is standard output")
          ->type_name("OUT");
  command->add_option("--diff-base", options->diff_base, "Compare with this profile, of a run before, in the page")
      ->type_name("BEFORE")
      ->needs(html);
  command->callback([options, status] { *status = Run(*options); });
}

}  // namespace ompprof::cli
