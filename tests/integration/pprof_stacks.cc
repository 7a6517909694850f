#include "tests/integration/pprof_stacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/integration/pprof_file.h"

namespace ompprof::testing {

Stacks StacksOf(const std::string& path, const std::string& type) {
  pprof::Profile decoded;
  std::string error;
  if (!ExportPprof(path, {}, &decoded, &error)) {
    ADD_FAILURE() << error;
    return {};
  }
  const auto text = [&](int64_t index) { return decoded.string_table(static_cast<int>(index)); };
  int value = 0;
  while (value < decoded.sample_type_size() && text(decoded.sample_type(value).type()) != type) ++value;
  if (value == decoded.sample_type_size()) {
    ADD_FAILURE() << "no sample type " << type;
    return {};
  }
  std::map<uint64_t, std::string> functions;
  for (const pprof::Function& function : decoded.function()) functions[function.id()] = FullName(decoded, function);
  std::map<uint64_t, const pprof::Location*> locations;
  for (const pprof::Location& location : decoded.location()) locations[location.id()] = &location;
  Stacks stacks;
  for (const pprof::Sample& sample : decoded.sample()) {
    if (sample.value(value) == 0) continue;
    std::vector<std::string> names;
    for (const uint64_t id : sample.location_id()) {
      for (const pprof::Line& line : locations.at(id)->line()) names.push_back(functions.at(line.function_id()));
    }
    stacks[names] += static_cast<double>(sample.value(value));
  }
  return stacks;
}

double Under(const Stacks& stacks, const std::string& function) {
  double sum = 0;
  for (const auto& [names, value] : stacks) {
    if (std::find(names.begin(), names.end(), function) != names.end()) sum += value;
  }
  return sum;
}

std::string Describe(const Stacks& stacks) {
  std::ostringstream text;
  for (const auto& [names, value] : stacks) {
    text << value << ":";
    for (const std::string& name : names) text << " " << name << ";";
    text << "\n";
  }
  return text.str();
}

}  // namespace ompprof::testing
