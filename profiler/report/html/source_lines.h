// The program's source with what each line cost, as far as the files can be read where the report is made.
#ifndef OMPPROF_PROFILER_REPORT_HTML_SOURCE_LINES_H_
#define OMPPROF_PROFILER_REPORT_HTML_SOURCE_LINES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/call_tree.h"
#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"

namespace ompprof::report {

struct LineCost {
  uint32_t line;
  analyze::Cost self;
  analyze::Cost total;   // with what was called from it; a sample counts once
  uint64_t wait_ns = 0;  // waits of the construct on this line; exact but for `estimate`
  analyze::Estimate estimate = {};
};

struct SourceLine {
  uint32_t line;
  std::string text;
};

struct SourceFile {
  std::string path;
  std::string read_from;          // another path, where it was found
  std::string unreadable;         // why there is no text; empty: there is
  bool changed = false;           // written to after the profile was recorded
  std::vector<LineCost> costs;    // by line
  std::vector<SourceLine> lines;  // by line; of a long file those around what cost something
  analyze::Cost self;             // of all its lines
  uint64_t wait_ns = 0;           // likewise
};

// Files by cost, descending; those with the most of it if there are very many. They are looked for below `folders` and
// where the debug information says (see SourceCandidates), and, where they are not there because the program was built
// elsewhere, below the current directory. `symbolizer` is the one that the view was built with.
//
// Names of files come from the profile, whose author may be somebody else: only what is named as source files are, and
// is a plain file of text, is read.
std::vector<SourceFile> ReadSources(const analyze::View& view, const model::Symbolizer& symbolizer,
                                    const std::vector<std::string>& folders);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_HTML_SOURCE_LINES_H_
