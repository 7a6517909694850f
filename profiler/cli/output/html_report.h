// Profiles as a web page, for `ompprof report --html` and `ompprof serve`.
#ifndef OMPPROF_PROFILER_CLI_OUTPUT_HTML_REPORT_H_
#define OMPPROF_PROFILER_CLI_OUTPUT_HTML_REPORT_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/name_pattern.h"
#include "profiler/cli/files/load.h"

namespace ompprof::cli {

struct PageRequest {
  const analyze::NamePattern* focus = nullptr;  // these patterns filter the machine view as they filtered the user view
  const analyze::NamePattern* ignore = nullptr;
  std::string before;  // a profile to compare with; empty: none
  std::string rank;    // the only MPI rank that is read; empty: all processes
  std::vector<std::string> source_folders;
  std::string objdump;  // the program that disassembles the hottest functions; empty: the page has no assembly
};

// What a page shows of its profiles. A page has at most 150,000 stretches of time, so a long run's times are put
// together as they are read.
inline LoadRequest LoadOfPage() {
  LoadRequest request;
  request.timeline = model::Timeline::kKeep;
  request.machine_too = true;
  request.most_timed = 2000000;
  return request;
}

// The page's data. `loaded` has the user view with its timeline, answered and then filtered, and the machine view.
// *status becomes a failure if the profile `before` cannot be read.
std::string PageDataOf(Loaded* loaded, const analyze::Answers& answers, const analyze::Summary& summary,
                       const PageRequest& request, int* status);

// "demo_heat - ompprof"
std::string PageTitle(const analyze::View& view);

// Writes the page to `path`, "-" for standard output. The file appears when it is complete.
int WritePage(const std::string& path, const std::string& data, const std::string& title);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OUTPUT_HTML_REPORT_H_
