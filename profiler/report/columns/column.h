// The declaration of a column in a report's table. Text, CSV, JSON, the web page and the documentation use this one
// declaration. Each table's columns are in a file of this folder, in the order of JSON and CSV.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "profiler/analyze/view/estimate.h"
#include "profiler/report/basics/json_writer.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/columns/column_facts.h"

namespace ompprof::report {

// A row's figure or text. std::monostate: not known; JSON then lacks the member, and CSV has 0 or an empty text.
using Value = std::variant<std::monostate, std::string, uint64_t, double, bool>;

// A column's place in a text table.
struct InText {
  int at = 0;  // sorts the columns; 0: the text table does not have the column
  int drop = 0;
  TextTable::Fit fit = TextTable::Fit::kKeep;  // with `drop`: see TextTable
};

// Row: a struct with the data of a row and its table that the column's functions need.
template <class Row>
struct Column {
  std::string key;           // the member in JSON, and the column in CSV
  std::string heading = {};  // in text and on the page
  Unit unit = Unit::kText;
  From from = From::kNone;
  Value (*value)(const Row&) = nullptr;

  InText text = {};
  InText detail = {};  // in the second text table, if there are two
  int page = 0;        // sorts the page's columns; 0: the page does not have the column
  unsigned files = kJson | kCsv;
  std::string csv = {};  // the name in CSV, if different from `key`

  // The error of a figure that may be estimated. `derived`: the error of another figure, from which this figure is
  // computed.
  analyze::Estimate (*estimate)(const Row&) = nullptr;
  bool derived = false;
  // False: the figure is 0 because it was not recorded; text then has "-".
  bool (*known)(const Row&) = nullptr;
  // The cell in the text table, if the figure's unit does not determine its text.
  TextTable::Cell (*cell)(const Row&) = nullptr;
  // Writes an array or object as the member's value. If `value` is set, the row has the member only if that value is
  // known.
  void (*json)(const Row&, JsonWriter*) = nullptr;

  std::string meaning = {};  // the explanation in the documentation, and in the hover text of the heading
};

// A table's columns, group after group.
template <class Row>
std::vector<Column<Row>> AllOf(std::initializer_list<std::vector<Column<Row>>> groups) {
  std::vector<Column<Row>> all;
  for (const std::vector<Column<Row>>& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

template <class Row>
std::vector<ColumnFacts> FactsOf(const std::vector<Column<Row>>& columns) {
  std::vector<ColumnFacts> facts;
  for (const Column<Row>& column : columns) {
    facts.push_back({column.key, column.csv.empty() ? column.key : column.csv, column.heading, column.unit, column.from,
                     column.estimate != nullptr, column.derived, column.files,
                     column.text.at != 0 || column.detail.at != 0, column.page, column.meaning});
  }
  return facts;
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_H_
