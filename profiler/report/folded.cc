#include "profiler/report/folded.h"

#include <map>

namespace ompprof::report {
namespace {

std::string Name(const std::string& name) {
  std::string safe = name;
  for (char& c : safe) {
    if (c == ';') c = ':';
    if (c == '\n' || c == '\r') c = ' ';
  }
  return safe;
}

}  // namespace

std::string Folded(const analyze::View& view) {
  std::map<analyze::PathId, uint64_t> by_path;
  for (const analyze::ViewSample& sample : view.samples) {
    if (sample.samples != 0) by_path[sample.path] += sample.samples;  // not a wait's path
  }

  // Paths that differ in addresses only are one line.
  std::map<std::string, uint64_t> by_line;
  for (const auto& [path, samples] : by_path) {
    std::string line;
    for (const analyze::LocationId id : view.paths.Locations(path)) {
      const analyze::Location& location = view.frames.location(id);
      for (uint32_t i = location.line_count; i-- > 0;) {
        if (!line.empty()) line += ';';
        line += Name(view.frames.function(view.frames.line(location.first_line + i).function).name);
      }
    }
    by_line[line.empty() ? "<no stack>" : line] += samples;
  }
  std::string text;
  for (const auto& [line, samples] : by_line) text += line + " " + std::to_string(samples) + "\n";
  return text;
}

}  // namespace ompprof::report
