// The program's source with the cost of each line. The page's data contain the files that can be read on this machine.
#ifndef OMPPROF_PROFILER_REPORT_HTML_SOURCE_LINES_H_
#define OMPPROF_PROFILER_REPORT_HTML_SOURCE_LINES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::report {

struct LineCost {
  uint32_t line;
  analyze::Cost self;
  analyze::Cost total;   // with calls from this line; a sample counts once
  uint64_t wait_ns = 0;  // waits of the construct on this line; exact except for `estimate`
  analyze::Estimate estimate = {};
};

struct SourceLine {
  uint32_t line;
  std::string text;
};

struct SourceFile {
  std::string path;
  std::string read_from;          // the path of the file that was read, if different
  std::string unreadable;         // the reason for a missing text; empty: the text is present
  bool changed = false;           // written to after the profile was recorded
  std::vector<LineCost> costs;    // by line
  std::vector<SourceLine> lines;  // by line; for a long file, only the lines around costs
  analyze::Cost self;             // of all lines
  uint64_t wait_ns = 0;           // of all lines
};

// The files by cost, descending; the largest only, if there are very many. The files are searched below `folders`, then
// at the places in the debug information (see SourceCandidates), and last below the current directory. The program may
// have been built elsewhere. `symbolizer` is the symbolizer that built the view.
//
// The names of files come from the profile, which may come from somebody else. So only plain text files with the name
// of a source file are read.
std::vector<SourceFile> ReadSources(const analyze::View& view, const model::Symbolizer& symbolizer,
                                    const std::vector<std::string>& folders);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_SOURCE_LINES_H_
