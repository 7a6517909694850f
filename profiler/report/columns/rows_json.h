// Writes rows of a table with declared columns as JSON.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_JSON_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_JSON_H_

#include "profiler/report/columns/column.h"

namespace ompprof::report {

inline void JsonValue(const Value& value, JsonWriter* json) {
  if (const auto* text = std::get_if<std::string>(&value)) return json->String(*text);
  if (const auto* number = std::get_if<uint64_t>(&value)) return json->Number(*number);
  if (const auto* real = std::get_if<double>(&value)) return json->Number(*real);
  if (const auto* flag = std::get_if<bool>(&value)) return json->Bool(*flag);
  json->Null();
}

// Writes the row's members into the open object.
template <class Row>
void JsonMembers(const std::vector<Column<Row>>& columns, const Row& row, JsonWriter* json) {
  for (const Column<Row>& column : columns) {
    if ((column.files & kJson) == 0) continue;
    const Value value = column.value ? column.value(row) : Value(true);
    if (std::holds_alternative<std::monostate>(value)) continue;
    json->Key(column.key);
    if (column.json)
      column.json(row, json);
    else
      JsonValue(value, json);
  }
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_ROWS_JSON_H_
