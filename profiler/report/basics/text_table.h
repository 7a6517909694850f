// Rows of text in aligned columns, fitted to a terminal's width. The text report's sections use it.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_TEXT_TABLE_H_
#define OMPPROF_PROFILER_REPORT_BASICS_TEXT_TABLE_H_

#include <string>
#include <vector>

#include "profiler/report/basics/style.h"

namespace ompprof::report {

class TextTable {
 public:
  enum class Align { kLeft, kRight };

  // The way in which a column becomes narrower on a narrow terminal.
  enum class Fit {
    kKeep,
    kShorten,  // cells are cut in the middle
    kCut,      // cells are cut at the end
    kWrap,     // the text of the last column continues in the next line
  };

  struct Column {
    std::string title = {};
    Align align = Align::kLeft;
    Fit fit = Fit::kKeep;
    int drop = 0;  // not 0: the column is left out if shortening is not enough; the largest number goes first
  };

  struct Cell {
    std::string text;
    Color color = Color::kNone;

    // Not explicit: a row is written as a list of texts.
    Cell(std::string text, Color color = Color::kNone) : text(std::move(text)), color(color) {}  // NOLINT
    Cell(const char* text) : text(text) {}                                                       // NOLINT
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Adds a row with one cell for each column. The last column is not padded.
  void Add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  template <class Text>
  void Add(const std::vector<Text>& row) {
    rows_.emplace_back(row.begin(), row.end());
  }

  bool empty() const { return rows_.empty(); }

  // The titles, if any, and the rows. Each line is indented by two blanks and has a newline. A line names the columns
  // that are left out.
  std::string Text(const Style& style = {}) const;

 private:
  struct Layout {
    std::vector<size_t> widths;
    std::vector<bool> shown;
  };
  Layout Fitted(size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_TEXT_TABLE_H_
