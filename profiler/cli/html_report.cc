#include "profiler/cli/html_report.h"

#include <optional>

#include "profiler/analyze/build_view.h"
#include "profiler/analyze/call_tree.h"
#include "profiler/model/header_facts.h"
#include "profiler/report/html/html_page.h"
#include "profiler/report/html/page_data.h"
#include "profiler/report/units.h"

namespace ompprof::cli {
namespace {

bool IsComparable(const model::ProcessProfile& after, const model::ProcessProfile& before) {
  const std::string a = model::Measured(after.header);
  const std::string b = model::Measured(before.header);
  if (a == b) return true;
  Complain(before.file + ": counts " + b + ", but " + after.file + " counts " + a + "; the page has no comparison");
  return false;
}

}  // namespace

std::string PageDataOf(Loaded* loaded, const analyze::Answers& answers, const analyze::Summary& summary,
                       const PageRequest& request, int* status) {
  model::Symbolizer machine_symbolizer;
  std::vector<const model::ProcessProfile*> processes;
  for (const model::ProcessProfile& profile : loaded->profiles) processes.push_back(&profile);
  analyze::View machine = analyze::BuildView(processes, analyze::ViewKind::kMachine, &machine_symbolizer);
  analyze::FilterSamples(request.focus, request.ignore, &machine);

  Loaded base;
  analyze::Answers base_answers;
  analyze::Summary base_summary;
  std::optional<report::PageRun> base_run;
  if (!request.before.empty()) {
    const int base_status = Load({request.before}, analyze::ViewKind::kUser, &base, request.rank);
    if (base_status != kSuccess) *status = base_status;
    const bool same = !base.view.run.empty() && IsComparable(loaded->profiles.front(), base.profiles.front());
    if (!same) *status = kFailure;
    if (same) {
      base_answers = analyze::Answer(&base.view, &base.symbolizer);
      analyze::FilterSamples(request.focus, request.ignore, &base.view);
      base_summary = analyze::Summarize(base.view);
      base_run = {&base.view, &base_summary, &base.symbolizer, &base_answers};
    }
  }
  return report::PageData(
      {&loaded->view, &summary, &loaded->symbolizer, &answers}, {&machine, nullptr, &machine_symbolizer, nullptr},
      base_run ? &*base_run : nullptr,
      {request.source_folders, report::HotCode(loaded->view, &loaded->symbolizer, request.objdump)});
}

std::string PageTitle(const analyze::View& view) { return report::BaseName(view.run.first().program) + " - ompprof"; }

int WritePage(const std::string& path, const std::string& data, const std::string& title) {
  return WriteOutput(path, report::HtmlPage(data, title));
}

}  // namespace ompprof::cli
