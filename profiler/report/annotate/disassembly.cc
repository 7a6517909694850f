#include "profiler/report/annotate/disassembly.h"

#include <limits.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "profiler/model/command_output.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

// A larger function is a table of data with a function's symbol.
constexpr uint64_t kLargestFunction = 4 << 20;

std::string HexLiteral(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

}  // namespace

std::vector<Instruction> ParseDisassembly(const std::string& text) {
  std::vector<Instruction> instructions;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    char* after = nullptr;
    const uint64_t address = std::strtoull(line.c_str(), &after, 16);
    if (after == line.c_str() || *after != ':') continue;
    // LLVM's objdump pads with blanks before the tab.
    const size_t tab = line.find_first_not_of(' ', static_cast<size_t>(after - line.c_str()) + 1);
    if (tab == std::string::npos || line[tab] != '\t') continue;
    std::string code = line.substr(tab + 1);
    for (char& c : code) {
      if (c == '\t') c = ' ';
    }
    code.erase(code.find_last_not_of(' ') + 1);
    if (!instructions.empty() && address <= instructions.back().address) continue;
    instructions.push_back({address, Printable(code)});
  }
  return instructions;
}

Disassembly Disassemble(const std::string& objdump, const std::string& path, uint64_t low, uint64_t high) {
  Disassembly result;
  char absolute[PATH_MAX];  // absolute, so that objdump takes no path for an option
  if (realpath(path.c_str(), absolute) == nullptr || high <= low || high - low > kLargestFunction) {
    result.problem = "there is no code of it that could be shown";
    return result;
  }
  const model::CommandOutput output =
      model::RunForOutput({objdump, "-d", "-C", "--no-show-raw-insn", "--start-address=" + HexLiteral(low),
                           "--stop-address=" + HexLiteral(high), absolute});
  result.instructions = ParseDisassembly(output.text);
  if (result.instructions.empty())
    result.problem = Printable(objdump) + " could not disassemble it" +
                     (output.problem.empty() ? "" : ": " + output.problem) +
                     "; it is in the package binutils, and --objdump=PATH names another";
  return result;
}

}  // namespace ompprof::report
