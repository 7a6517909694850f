#include "profiler/cli/output/html_report.h"

#include <optional>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/report/basics/units.h"
#include "profiler/report/html/html_page.h"
#include "profiler/report/html/page_data.h"

namespace ompprof::cli {
namespace {

bool IsComparable(const Loaded& after, const Loaded& before) {
  if (after.measured == before.measured) return true;
  Complain(before.view.run.first().file + ": counts " + before.measured + ", but " + after.view.run.first().file +
           " counts " + after.measured + "; the page has no comparison");
  return false;
}

}  // namespace

std::string PageDataOf(Loaded* loaded, const analyze::Answers& answers, const analyze::Summary& summary,
                       const PageRequest& request, int* status) {
  analyze::FilterSamples(request.focus, request.ignore, &loaded->machine);

  Loaded base(loaded->cache);
  analyze::Answers base_answers;
  analyze::Summary base_summary;
  std::optional<report::PageRun> base_run;
  if (!request.before.empty()) {
    LoadRequest base_request;
    base_request.rank = request.rank;
    const int base_status = Load({request.before}, base_request, &base);
    if (base_status != kSuccess) *status = base_status;
    const bool same = !base.view.run.empty() && IsComparable(*loaded, base);
    if (!same) *status = kFailure;
    if (same) {
      base_answers = analyze::Answer(&base.view, &base.symbolizer);
      analyze::FilterSamples(request.focus, request.ignore, &base.view);
      base_summary = analyze::Summarize(base.view);
      base_run = {&base.view, &base_summary, &base.symbolizer, &base_answers};
    }
  }
  return report::PageData(
      {&loaded->view, &summary, &loaded->symbolizer, &answers},
      {&loaded->machine, nullptr, &loaded->machine_symbolizer, nullptr}, base_run ? &*base_run : nullptr,
      {request.source_folders, report::HotCode(loaded->view, &loaded->symbolizer, request.objdump)});
}

std::string PageTitle(const analyze::View& view) { return report::BaseName(view.run.first().program) + " - ompprof"; }

int WritePage(const std::string& path, const std::string& data, const std::string& title) {
  return WriteOutput(path, report::HtmlPage(data, title));
}

}  // namespace ompprof::cli
