// Fits text to its terminal: width, colours, names that are too long. The command line decides the Style once
// (cli/output/terminal.h) and passes it to the text report's sections and tables.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_STYLE_H_
#define OMPPROF_PROFILER_REPORT_BASICS_STYLE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace ompprof::report {

struct Style {
  bool color = false;
  size_t width = 0;  // columns; 0: no limit, as for a file
};

// The meaning of a colour. Paint has the terminal's codes.
enum class Color {
  kNone,
  kTitle,
  kHot,        // 10 % or more
  kWarm,       // 2 % or more
  kConstruct,  // an OpenMP construct
  kWait,       // <omp barrier: implicit> and the like
  kDim,
};

// `text` with the terminal's codes around it, if `style` has colours.
std::string Paint(const Style& style, Color color, const std::string& text);

// The colour of a share, and the colour of a function's name.
Color ShareColor(uint64_t part, uint64_t whole);
Color NameColor(const std::string& name);

// The number of terminal columns for UTF-8 text. Wide characters count as one column.
size_t Columns(const std::string& text);

// `text` in at most `columns` columns, cut in the middle, because the middle of a name says least. A file and line
// after two blanks, or a construct in brackets, stays if the name has enough room. A construct loses its file first:
// "relax [omp parallel …:12]".
//   Shorten("space::Solver::relax_rows  solver.cc:120", 32)  ->  "space::S…lax_rows  solver.cc:120"
std::string Shorten(const std::string& text, size_t columns);

// `text` in at most `columns` columns, cut at its end.
std::string CutEnd(const std::string& text, size_t columns);

// `text` in lines of at most `width` columns, broken between words. Lines after the first are indented by `hanging`. A
// word that is longer than a line is cut in the middle. No newline at the end. With `width` 0, one line.
std::string Wrap(const std::string& text, size_t hanging, size_t width);

// A sentence below a table: two blanks and `text`, wrapped, with a newline.
std::string Sentence(const Style& style, const std::string& text);

// A section's title, coloured and wrapped, after an empty line.
std::string Title(const Style& style, const std::string& text);

// "  ... and 12 more regions (--limit=N shows N)" with a newline; empty if all rows are shown.
std::string Omitted(size_t shown, size_t all, const char* what);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_STYLE_H_
