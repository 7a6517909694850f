#include "profiler/report/basics/style.h"

#include <algorithm>

#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

// ECMA-48 "select graphic rendition". Every terminal has these sixteen colours, and its user chooses them.
const char* Code(Color color) {
  switch (color) {
    case Color::kNone:
      return "";
    case Color::kTitle:
      return "1";
    case Color::kHot:
      return "1;31";
    case Color::kWarm:
      return "33";
    case Color::kConstruct:
      return "36";
    case Color::kWait:
      return "35";
    case Color::kDim:
      return "2";
  }
  return "";
}

bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The index of the character after `columns` columns.
size_t Offset(const std::string& text, size_t columns) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (Continues(text[at])) continue;
    if (columns-- == 0) break;
  }
  return at;
}

std::string CutMiddle(const std::string& text, size_t columns) {
  const size_t all = Columns(text);
  if (all <= columns) return text;
  if (columns == 0) return "";
  const size_t head = columns / 2;
  const size_t tail = columns - 1 - head;
  return text.substr(0, Offset(text, head)) + "…" + text.substr(Offset(text, all - tail));
}

// The index of the text after the name; the text's size if nothing follows the name.
size_t TailOf(const std::string& text) {
  const size_t construct = text.rfind(" [omp ");
  if (construct != std::string::npos && construct > 0) return construct;
  const size_t gap = text.rfind("  ");
  return gap != std::string::npos && text.find_first_not_of(' ') < gap ? gap : text.size();
}

// " [omp parallel …:12]" for " [omp parallel solve.c:12]", because the line says more than the file's name.
std::string WithoutFile(const std::string& construct) {
  const size_t blank = construct.rfind(' ');
  const size_t colon = construct.rfind(':');
  if (construct.compare(0, 6, " [omp ") != 0 || colon == std::string::npos || colon < blank) return construct;
  return construct.substr(0, blank + 1) + "…" + construct.substr(colon);
}

}  // namespace

std::string Paint(const Style& style, Color color, const std::string& text) {
  if (!style.color || color == Color::kNone || text.empty()) return text;
  const std::string begin = std::string("\033[") + Code(color) + "m";
  const std::string end = "\033[0m";
  std::string painted;
  for (size_t at = 0; at <= text.size();) {
    const size_t line_end = std::min(text.find('\n', at), text.size());
    // Colours each line, because less ends colours at the end of a line.
    if (line_end > at) painted += begin + text.substr(at, line_end - at) + end;
    if (line_end < text.size()) painted += '\n';
    at = line_end + 1;
  }
  return painted;
}

Color ShareColor(uint64_t part, uint64_t whole) {
  if (whole == 0) return Color::kNone;
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return share >= 0.1 ? Color::kHot : share >= 0.02 ? Color::kWarm : Color::kNone;
}

Color NameColor(const std::string& name) {
  if (name.compare(0, 1, "<") == 0) return Color::kWait;
  return name.find(" [omp ") != std::string::npos ? Color::kConstruct : Color::kNone;
}

size_t Columns(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !Continues(c); }));
}

std::string Shorten(const std::string& text, size_t columns) {
  constexpr size_t kLeastName = 10;
  if (Columns(text) <= columns) return text;
  const size_t at = TailOf(text);
  std::string tail = text.substr(at);
  const std::string brief = WithoutFile(tail);
  if (Columns(brief) + std::min(at, kLeastName) <= columns) {
    const size_t name = Columns(text.substr(0, at));
    if (Columns(brief) + name <= columns || Columns(tail) + kLeastName > columns) tail = brief;
  }
  const size_t room = columns - std::min(columns, Columns(tail));
  if (tail.empty() || room < kLeastName) return CutMiddle(text, columns);
  return CutMiddle(text.substr(0, at), room) + tail;
}

std::string CutEnd(const std::string& text, size_t columns) {
  if (Columns(text) <= columns) return text;
  return columns == 0 ? "" : text.substr(0, Offset(text, columns - 1)) + "…";
}

std::string Wrap(const std::string& text, size_t hanging, size_t width) {
  if (width == 0 || Columns(text) <= width) return text;
  size_t at = std::min(text.find_first_not_of(' '), text.size());
  std::string wrapped = text.substr(0, at);
  size_t used = at;  // the columns used in the last line
  size_t gap = 0;    // the blanks before the next word
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = CutMiddle(text.substr(at, end - at), width - std::min(hanging, width / 2));
    if (gap > 0 && used + gap + Columns(word) > width) {
      wrapped += "\n" + std::string(hanging, ' ') + word;
      used = hanging + Columns(word);
    } else {
      wrapped += std::string(gap, ' ') + word;
      used += gap + Columns(word);
    }
    at = std::min(text.find_first_not_of(' ', end), text.size());
    gap = at - end;
  }
  return wrapped;
}

std::string Sentence(const Style& style, const std::string& text) { return Wrap("  " + text, 2, style.width) + "\n"; }

std::string Title(const Style& style, const std::string& text) {
  return "\n" + Paint(style, Color::kTitle, Wrap(text, 2, style.width)) + "\n";
}

std::string Omitted(size_t shown, size_t all, const char* what) {
  if (shown >= all) return "";
  return "  ... and " + Count(all - shown) + " more " + what + " (--limit=N shows N)\n";
}

}  // namespace ompprof::report
