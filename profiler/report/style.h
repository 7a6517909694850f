// How text is fitted to the terminal that it is for: its width, its colours, names that are too long. The command line
// decides once (cli/terminal.h); the text report's sections and tables are handed the decision.
#ifndef OMPPROF_PROFILER_REPORT_STYLE_H_
#define OMPPROF_PROFILER_REPORT_STYLE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace ompprof::report {

struct Style {
  bool color = false;
  size_t width = 0;  // columns; 0: no limit, as for a file
};

// What is marked, not how: Paint knows the terminal's codes.
enum class Color {
  kNone,
  kTitle,
  kHot,        // 10 % or more
  kWarm,       // 2 % or more
  kConstruct,  // an OpenMP construct
  kWait,       // <omp barrier: implicit> and the like
  kDim,
};

// `text` with the terminal's codes around it, if there are to be colours.
std::string Paint(const Style& style, Color color, const std::string& text);

// The colour of a share of a whole, and that of a function's name.
Color ShareColor(uint64_t part, uint64_t whole);
Color NameColor(const std::string& name);

// How many columns a terminal needs for UTF-8 text, wide characters not considered.
size_t Columns(const std::string& text);

// `text` in `columns` at most, cut in the middle, where a name says least. What follows the name, its file and line
// after two blanks or the construct in brackets, is kept where the name has room beside it; of a construct
// the file goes first, "relax [omp parallel …:12]":
//   Shorten("space::Solver::relax_rows  solver.cc:120", 32)  ->  "space::S…lax_rows  solver.cc:120"
std::string Shorten(const std::string& text, size_t columns);

// `text` in `columns` at most, cut at its end.
std::string CutEnd(const std::string& text, size_t columns);

// `text` in lines that end between words, as the width allows; the lines after the first are indented by `hanging`. A
// word that is longer than a line is cut in the middle. No newline at the end. Without a limit there is one line.
std::string Wrap(const std::string& text, size_t hanging, size_t width);

// A section's title, after an empty line: in its colour, and wrapped.
std::string Title(const Style& style, const std::string& text);

// "  ... and 12 more regions (--limit=N shows N)", with its newline; empty if all are shown.
std::string Omitted(size_t shown, size_t all, const char* what);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_STYLE_H_
