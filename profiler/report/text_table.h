// Rows of text in aligned columns. The text report is made of these.
#ifndef OMPPROF_PROFILER_REPORT_TEXT_TABLE_H_
#define OMPPROF_PROFILER_REPORT_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace ompprof::report {

class TextTable {
 public:
  enum class Align { kLeft, kRight };

  struct Column {
    std::string title;
    Align align;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell for each column. The last column is neither padded nor cut.
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  bool empty() const { return rows_.empty(); }

  // The titles, if there are any, and the rows, each line indented by two and ended.
  std::string Text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_TEXT_TABLE_H_
