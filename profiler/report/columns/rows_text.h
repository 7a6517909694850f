// Makes a text table of rows with declared columns.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_TEXT_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_TEXT_H_

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profiler/report/columns/column.h"
#include "profiler/report/columns/value_text.h"

namespace ompprof::report {

template <class Row>
class RowsText {
 public:
  // The table has the columns with this `place`: &Column<Row>::text or &Column<Row>::detail. Columns with keys in
  // `without` are left out. `columns` must outlive this object.
  RowsText(const std::vector<Column<Row>>& columns, InText Column<Row>::*place, Weighing weighing,
           const std::set<std::string>& without = {})
      : weighing_(std::move(weighing)) {
    for (const Column<Row>& column : columns) {
      if ((column.*place).at != 0 && without.count(column.key) == 0) columns_.push_back(&column);
    }
    std::stable_sort(columns_.begin(), columns_.end(),
                     [place](const Column<Row>* a, const Column<Row>* b) { return (a->*place).at < (b->*place).at; });
    std::vector<TextTable::Column> headings;
    for (const Column<Row>* column : columns_) {
      headings.push_back({HeadingText(column->heading, column->unit, weighing_),
                          column->unit == Unit::kText ? TextTable::Align::kLeft : TextTable::Align::kRight,
                          (column->*place).fit, (column->*place).drop});
    }
    table_ = TextTable(std::move(headings));
  }

  void Add(const Row& row) {
    std::vector<TextTable::Cell> cells;
    for (const Column<Row>* column : columns_) {
      cells.push_back(column->cell ? column->cell(row)
                      : column->known && !column->known(row)
                          ? "-"
                          : ValueText(column->value(row), column->unit,
                                      column->estimate ? column->estimate(row) : analyze::Estimate(), column->derived,
                                      weighing_.nanoseconds));
    }
    table_.Add(std::move(cells));
  }

  // Adds a row with cells for some columns, by key. Such a row belongs to the row before it.
  void AddPart(const std::map<std::string, TextTable::Cell>& part) {
    std::vector<TextTable::Cell> cells;
    for (const Column<Row>* column : columns_) {
      const auto found = part.find(column->key);
      cells.push_back(found == part.end() ? TextTable::Cell("") : found->second);
    }
    table_.Add(std::move(cells));
  }

  bool empty() const { return table_.empty(); }
  std::string Text(const Style& style) const { return table_.Text(style); }

 private:
  Weighing weighing_;
  std::vector<const Column<Row>*> columns_;
  TextTable table_{{}};
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_TEXT_H_
