#include "profiler/report/basics/text_table.h"

#include <algorithm>
#include <cstdint>

namespace ompprof::report {
namespace {

// The width that a flexible column keeps before other columns are left out, and the width that it keeps in any case.
constexpr size_t kEnough = 32;
constexpr size_t kLeast = 8;

}  // namespace

TextTable::Layout TextTable::Fitted(size_t width) const {
  Layout layout;
  layout.shown.assign(columns_.size(), true);
  for (const Column& column : columns_) layout.widths.push_back(Columns(column.title));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) layout.widths[i] = std::max(layout.widths[i], Columns(row[i].text));
  }
  if (width == 0) return layout;

  const auto flexible = [&](size_t i) { return columns_[i].fit != Fit::kKeep; };
  // The width of all shown columns with their gaps. A flexible column counts at most `enough`.
  const auto needed = [&](size_t enough) {
    size_t sum = 0;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (layout.shown[i]) sum += 2 + (flexible(i) ? std::min(layout.widths[i], enough) : layout.widths[i]);
    }
    return sum;
  };
  while (needed(kEnough) > width) {
    size_t drop = columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (layout.shown[i] && columns_[i].drop > (drop == columns_.size() ? 0 : columns_[drop].drop)) drop = i;
    }
    if (drop == columns_.size()) break;
    layout.shown[drop] = false;
  }
  // The widest column becomes narrower first.
  while (needed(SIZE_MAX) > width) {
    size_t widest = columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!layout.shown[i] || !flexible(i) || layout.widths[i] <= kLeast) continue;
      if (widest == columns_.size() || layout.widths[i] > layout.widths[widest]) widest = i;
    }
    if (widest == columns_.size()) break;
    --layout.widths[widest];
  }
  return layout;
}

std::string TextTable::Text(const Style& style) const {
  const Layout layout = Fitted(style.width);
  std::string text;
  const auto put = [&](const std::vector<Cell>& row, Color color) {
    std::string line;
    std::string blanks;  // the blanks since the last cell with text; a line does not end with blanks
    size_t at = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (!layout.shown[i]) continue;
      const size_t width = layout.widths[i];
      blanks += "  ";
      at += 2;
      std::string cell = row[i].text;
      if (columns_[i].fit == Fit::kShorten) cell = Shorten(cell, width);
      if (columns_[i].fit == Fit::kCut) cell = CutEnd(cell, width);
      const std::string padding(width - std::min(width, Columns(cell)), ' ');
      if (columns_[i].fit == Fit::kWrap && style.width != 0)
        cell = Wrap(std::string(at, ' ') + cell, at, at + width).substr(at);
      if (columns_[i].align == Align::kRight) blanks += padding;
      if (!cell.empty()) {
        line += blanks + Paint(style, color == Color::kNone ? row[i].color : color, cell);
        blanks.clear();
      }
      if (columns_[i].align == Align::kLeft) blanks += padding;
      at += width;
    }
    text += line + "\n";
  };

  if (std::any_of(columns_.begin(), columns_.end(), [](const Column& column) { return !column.title.empty(); })) {
    std::vector<Cell> titles;
    for (const Column& column : columns_) titles.emplace_back(column.title);
    put(titles, Color::kDim);
  }
  for (const auto& row : rows_) put(row, Color::kNone);
  std::string left_out;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!layout.shown[i] && !columns_[i].title.empty()) left_out += (left_out.empty() ? "" : ", ") + columns_[i].title;
  }
  if (!left_out.empty()) {
    text +=
        Paint(style, Color::kDim, Wrap("  (left out, the terminal is too narrow: " + left_out + ")", 3, style.width)) +
        "\n";
  }
  return text;
}

}  // namespace ompprof::report
