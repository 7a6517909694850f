// Writes rows of a table with declared columns as CSV.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_CSV_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_CSV_H_

#include "profiler/report/basics/csv_writer.h"
#include "profiler/report/columns/column.h"

namespace ompprof::report {

template <class Row>
std::vector<std::string> CsvHeader(const std::vector<Column<Row>>& columns, const Weighing& weighing) {
  std::vector<std::string> header;
  for (const Column<Row>& column : columns) {
    if ((column.files & kCsv) != 0)
      header.push_back(CsvName(column.csv.empty() ? column.key : column.csv, column.unit, weighing));
  }
  return header;
}

// Numeric cells are never empty, so readers recognize the columns' types.
inline void CsvCell(const Value& value, Unit unit, CsvWriter* csv) {
  if (const auto* text = std::get_if<std::string>(&value))
    csv->Text(*text);
  else if (const auto* number = std::get_if<uint64_t>(&value))
    csv->Number(*number);
  else if (const auto* real = std::get_if<double>(&value))
    csv->Number(*real);
  else if (const auto* flag = std::get_if<bool>(&value))
    csv->Number(uint64_t{*flag});
  else if (unit == Unit::kText)
    csv->Text("");
  else
    csv->Number(uint64_t{0});
}

// Writes a whole row, or the rest of a row that begins with other cells.
template <class Row>
void CsvRow(const std::vector<Column<Row>>& columns, const Row& row, CsvWriter* csv) {
  for (const Column<Row>& column : columns) {
    if ((column.files & kCsv) != 0) CsvCell(column.value(row), column.unit, csv);
  }
  csv->End();
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_CSV_H_
