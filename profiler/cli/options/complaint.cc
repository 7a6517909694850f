#include "profiler/cli/options/complaint.h"

#include <cstdio>

#include "profiler/report/basics/units.h"

namespace ompprof::cli {

void Complain(const std::string& sentence, const std::vector<std::string>& list) {
  std::string text = "ompprof: " + report::Printable(sentence) + "\n";
  for (const std::string& line : list) text += "  " + report::Printable(line) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace ompprof::cli
