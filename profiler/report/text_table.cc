#include "profiler/report/text_table.h"

#include <algorithm>

namespace ompprof::report {
namespace {

// How many columns a terminal needs for UTF-8 text, wide characters not considered.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string TextTable::Text() const {
  std::vector<size_t> widths;
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    widths.push_back(Width(column.title));
    titles.push_back(column.title);
  }
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }

  std::string text;
  const auto put = [&](const std::vector<std::string>& row) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - Width(row[i]), ' ');
      line += i == 0 ? " " : "  ";
      if (columns_[i].align == Align::kRight) {
        line += padding + row[i];
      } else {
        line += row[i] + (i + 1 < row.size() ? padding : "");
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  if (std::any_of(titles.begin(), titles.end(), [](const std::string& title) { return !title.empty(); })) put(titles);
  for (const auto& row : rows_) put(row);
  return text;
}

}  // namespace ompprof::report
