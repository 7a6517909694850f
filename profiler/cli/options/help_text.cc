#include "profiler/cli/options/help_text.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "profiler/report/basics/style.h"

namespace ompprof::cli {
namespace {

// A text column that begins further to the right leaves too little room below it.
constexpr size_t kMostShare = 2;

bool IsProse(const std::string& line) {
  return !line.empty() && line[0] != ' ' && line.back() != ':' && line.rfind("Usage:", 0) != 0;
}

// The column at which the line's text continues: that of its last column, or of its first word.
size_t HangingOf(const std::string& line, size_t width) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.rfind("  ");
  if (gap == std::string::npos || gap < indent) return indent;
  const size_t text = line.find_first_not_of(' ', gap);
  return text == std::string::npos || text > width / kMostShare ? indent + 2 : text;
}

}  // namespace

std::string FitHelp(const std::string& help, size_t width) {
  if (width == 0) return help;
  std::vector<std::string> lines;
  std::istringstream stream(help);
  for (std::string line; std::getline(stream, line);) {
    const bool goes_on = !lines.empty() && IsProse(lines.back()) && IsProse(line);
    if (goes_on)
      lines.back() += " " + line;
    else
      lines.push_back(line);
  }
  std::string fitted;
  for (const std::string& line : lines) fitted += report::Wrap(line, HangingOf(line, width), width) + "\n";
  return fitted;
}

}  // namespace ompprof::cli
