#include "profiler/cli/html_report.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "profiler/analyze/call_tree.h"
#include "profiler/report/html/html_page.h"
#include "profiler/report/html/page_data.h"
#include "profiler/report/units.h"

namespace ompprof::cli {

std::string PageDataOf(const Loaded& loaded, const analyze::Answers& answers, const analyze::Summary& summary,
                       const std::regex* focus, const std::regex* ignore, const std::string& before,
                       const std::vector<std::string>& source_folders, int* status) {
  model::Symbolizer machine_symbolizer;
  analyze::View machine = analyze::BuildView(loaded.view.processes, analyze::ViewKind::kMachine, &machine_symbolizer);
  analyze::FilterSamples(focus, ignore, &machine);

  Loaded base;
  analyze::Answers base_answers;
  analyze::Summary base_summary;
  std::optional<report::PageRun> base_run;
  if (!before.empty()) {
    const int base_status = Load({before}, analyze::ViewKind::kUser, &base);
    if (base_status != kSuccess) *status = base_status;
    if (!base.view.processes.empty()) {
      base_answers = analyze::Answer(&base.view, &base.symbolizer);
      analyze::FilterSamples(focus, ignore, &base.view);
      base_summary = analyze::Summarize(base.view);
      base_run = {&base.view, &base_summary, &base.symbolizer, &base_answers};
    }
  }
  return report::PageData({&loaded.view, &summary, &loaded.symbolizer, &answers},
                          {&machine, nullptr, &machine_symbolizer, nullptr}, base_run ? &*base_run : nullptr,
                          source_folders);
}

std::string PageTitle(const analyze::View& view) {
  return report::BaseName(view.processes[0]->header.program()) + " - ompprof";
}

int WritePage(const std::string& path, const std::string& data, const std::string& title) {
  const std::string page = report::HtmlPage(data, title);
  const bool to_stdout = path == "-";
  // Beside its place and then into it, so that nobody opens half a page.
  const std::string draft = to_stdout ? "standard output" : path + ".part";
  std::FILE* file = to_stdout ? stdout : std::fopen(draft.c_str(), "wb");
  bool written = file != nullptr && std::fwrite(page.data(), 1, page.size(), file) == page.size();
  if (file != nullptr) written = (to_stdout ? std::fflush(file) : std::fclose(file)) == 0 && written;
  if (written && !to_stdout) written = std::rename(draft.c_str(), path.c_str()) == 0;
  if (written) return kSuccess;
  const int error = errno;
  if (!to_stdout && file != nullptr) std::remove(draft.c_str());
  Complain((to_stdout ? draft : path) + ": the page cannot be written: " + std::strerror(error));
  return kFailure;
}

}  // namespace ompprof::cli
