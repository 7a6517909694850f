// The page's data, as JSON; README.md in this folder has the members. The page's scripts read the data.
#ifndef OMPPROF_PROFILER_REPORT_HTML_PAGE_DATA_H_
#define OMPPROF_PROFILER_REPORT_HTML_PAGE_DATA_H_

#include <string>
#include <vector>

#include "profiler/analyze/account/summary.h"
#include "profiler/analyze/advice/answers.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/html/hot_code.h"

namespace ompprof::report {

// The parts of a run that the page needs.
struct PageRun {
  const analyze::View* view;
  const analyze::Summary* summary;
  const model::Symbolizer* symbolizer;
  const analyze::Answers* answers;
};

// What the page shows of the program's files.
struct PageParts {
  std::vector<std::string> source_folders;  // see ReadSources
  std::vector<HotFunction> code;            // see HotCode
};

// `user` is the run in the user view. `machine` is the same run in the machine view; only its view and symbolizer are
// used. `before` is a run to compare with, in the user view, or null.
std::string PageData(const PageRun& user, const PageRun& machine, const PageRun* before, const PageParts& parts = {});

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_PAGE_DATA_H_
