#include "tests/integration/leaf_shares.h"

#include <stdint.h>
#include <stdlib.h>

#include <sstream>

#include "tests/integration/harness.h"
#include "tests/integration/pprof_file.h"

namespace ompprof::testing {
namespace {

std::string Base(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// libomp.so.5 is a link. One tool names the link, the other the file.
std::string Library(const std::string& path) {
  const std::string base = Base(path);
  if (base.rfind("libomp", 0) == 0 && base.rfind("libompprof", 0) != 0) return "libomp";
  return base.substr(0, base.find(".so"));
}

// Function symbols of `program` by address in the file.
std::map<uint64_t, std::string> Symbols(const std::string& program) {
  std::map<uint64_t, std::string> symbols;
  std::istringstream lines(RunCommand({"nm", program}).out);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string address, type, name;
    if (words >> address >> type >> name && (type == "t" || type == "T" || type == "W")) {
      symbols[strtoull(address.c_str(), nullptr, 16)] = name;
    }
  }
  return symbols;
}

// Adds to the right name. `file_address` is in the addresses of the file's symbols.
void Add(const std::map<uint64_t, std::string>& symbols, const std::string& program, const std::string& object,
         uint64_t file_address, double value, LeafShares* shares) {
  if (object.empty() || object[0] == '[' || Base(object).rfind("libompprof", 0) == 0) return;
  if (Base(object) != Base(program)) {
    (*shares)[Library(object)] += value;
    return;
  }
  auto symbol = symbols.upper_bound(file_address);
  if (symbol != symbols.begin()) (*shares)[(--symbol)->second] += value;
}

void Normalize(LeafShares* shares) {
  double sum = 0;
  for (const auto& [name, value] : *shares) sum += value;
  for (auto& [name, value] : *shares) value /= sum;
}

}  // namespace

LeafShares LeafSharesOfPerf(const std::string& data, const std::string& program, std::string* error) {
  LeafShares shares;
  const Outcome script = RunCommand({"perf", "script", "-i", data, "-F", "comm,ip,sym,dso"});
  if (!script.Exited(0)) {
    *error = "perf script: " + script.Describe().substr(0, 500);
    return shares;
  }
  // A sample is a line with the command's name, then a line for each frame, leaf first: "  55d0c0de1234 symbol
  // (/path/of/object)". Kernel frames are skipped: the kernel's time belongs to the calling code, as in ompprof's
  // profiles. perf itself resolves the program's symbols, from the same table.
  std::istringstream lines(script.out);
  std::string line;
  bool wanted = false;
  while (std::getline(lines, line)) {
    if (!line.empty() && line[0] != ' ' && line[0] != '\t') {
      std::istringstream words(line);
      std::string command;
      words >> command;
      // Samples of ompprof before it becomes the program do not count. The kernel keeps 15 letters of a name.
      wanted = command == Base(program).substr(0, 15);
      continue;
    }
    const size_t open = line.rfind(" ("), close = line.rfind(')');
    std::istringstream words(line.substr(0, open));
    std::string address, symbol;
    if (!wanted || open == std::string::npos || close < open || !(words >> address >> symbol)) continue;
    const std::string object = line.substr(open + 2, close - open - 2);
    if (object.empty() || object.find("[kernel") == 0 || strtoull(address.c_str(), nullptr, 16) >> 63 != 0) continue;
    wanted = false;  // the leaf is found
    if (object[0] == '[' || Base(object).rfind("libompprof", 0) == 0) continue;
    shares[Base(object) == Base(program) ? symbol : Library(object)] += 1;
  }
  if (shares.empty()) *error = "perf script has no sample of " + program;
  Normalize(&shares);
  return shares;
}

LeafShares LeafSharesOfProfile(const std::string& profile, const std::string& program, std::string* error) {
  LeafShares shares;
  pprof::Profile decoded;
  if (!ExportPprof(profile, {"--view=machine"}, &decoded, error)) return shares;
  const std::map<uint64_t, std::string> symbols = Symbols(program);
  std::map<uint64_t, const pprof::Location*> locations;
  std::map<uint64_t, const pprof::Mapping*> mappings;
  for (const auto& location : decoded.location()) locations[location.id()] = &location;
  for (const auto& mapping : decoded.mapping()) mappings[mapping.id()] = &mapping;
  const int value = NanosecondsValue(decoded);
  for (const auto& sample : decoded.sample()) {
    if (sample.location_id_size() == 0) continue;
    const pprof::Location& leaf = *locations.at(sample.location_id(0));
    const auto mapping = mappings.find(leaf.mapping_id());
    if (mapping == mappings.end()) continue;
    const pprof::Mapping& object = *mapping->second;
    // ld puts the code of a position-independent program at the address of its offset in the file.
    const uint64_t file_address = leaf.address() - object.memory_start() + object.file_offset();
    Add(symbols, program, decoded.string_table(static_cast<int>(object.filename())), file_address,
        static_cast<double>(sample.value(value)), &shares);
  }
  if (shares.empty()) {
    *error = "the pprof export has no sample with an address";
    return shares;
  }
  Normalize(&shares);
  return shares;
}

}  // namespace ompprof::testing
