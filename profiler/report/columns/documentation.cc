#include "profiler/report/columns/documentation.h"

namespace ompprof::report {
namespace {

constexpr char kCsvName[] = "csv";
constexpr char kEnd[] = "<!-- end of columns -->";

std::string Begin(const std::string& name) { return "<!-- columns: " + name + " -->\n"; }

std::string Code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

// The heading, "wait"; "wait (page)" if only the page shows the column.
std::string HeadingCell(const ColumnFacts& column) {
  if (column.text == (column.page != 0) || column.heading.empty()) return column.heading;
  return column.heading + (column.text ? " (text)" : " (page)");
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += cell.empty() ? " |" : " " + cell + " |";
  return row + "\n";
}

std::string MembersTable(const TableFacts& table) {
  std::string text = Row({"member", "type", "from", "heading", "meaning"}) + "|---|---|---|---|---|\n";
  for (const ColumnFacts& column : table.columns) {
    if ((column.files & kJson) == 0) continue;
    text += Row({Code(column.key), TypeName(column.unit), FromName(column.from), HeadingCell(column), column.meaning});
  }
  return text;
}

// CSV columns that differ in name from their member, and columns without a member.
std::string OthersTable(const std::vector<TableFacts>& tables) {
  std::string text = Row({"table", "CSV", "from", "heading", "meaning"}) + "|---|---|---|---|---|\n";
  for (const TableFacts& table : tables) {
    for (const ColumnFacts& column : table.columns) {
      const bool csv = (column.files & kCsv) != 0, json = (column.files & kJson) != 0;
      if (json && csv && column.csv != column.key)
        text += Row({table.name, Code(column.csv), FromName(column.from), "", "the member " + Code(column.key)});
      if (!json && !column.meaning.empty())
        text +=
            Row({table.name, csv ? Code(column.csv) : "", FromName(column.from), HeadingCell(column), column.meaning});
    }
  }
  return text;
}

// Returns false if `readme` has no such place.
bool Fill(const std::string& name, const std::string& table, std::string* readme) {
  const size_t mark = readme->find(Begin(name));
  if (mark == std::string::npos) return false;
  const size_t begin = mark + Begin(name).size();
  const size_t end = readme->find(kEnd, begin);
  if (end == std::string::npos) return false;
  readme->replace(begin, end - begin, "\n" + table + "\n");
  return true;
}

}  // namespace

std::string WithColumns(const std::string& readme, const std::vector<TableFacts>& tables,
                        std::vector<std::string>* missing) {
  std::string text = readme;
  for (const TableFacts& table : tables) {
    if (!Fill(table.name, MembersTable(table), &text)) missing->push_back(table.name);
  }
  if (!Fill(kCsvName, OthersTable(tables), &text)) missing->push_back(kCsvName);
  return text;
}

}  // namespace ompprof::report
