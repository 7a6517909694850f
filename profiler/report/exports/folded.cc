// Folded stacks, the input of flame-graph scripts: one line for each path. A line has the functions from the root,
// joined by ';', a space, and a number. `ompprof export` writes them.
#include "profiler/report/exports/exports.h"

#include <map>
#include <string>
#include <utility>

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

void Folded(const analyze::View& view, bool by_phase, const Sink& sink) {
  std::map<std::pair<uint32_t, analyze::PathId>, uint64_t> by_path;
  for (const analyze::ViewSample& sample : view.samples) {
    // Rows without samples carry waits only.
    if (sample.cost.samples != 0) by_path[{by_phase ? sample.phase : 0, sample.path}] += sample.cost.samples;
  }

  // Paths that differ only in addresses share a line.
  std::map<std::string, uint64_t> by_line;
  for (const auto& [place, samples] : by_path) {
    std::string line;
    if (by_phase) line = place.first == 0 ? "[no phase]" : "[" + Name(view.phases[place.first]) + "]";
    for (const analyze::LocationId id : view.paths.Locations(place.second)) {
      const analyze::Location& location = view.frames.location(id);
      for (uint32_t i = location.line_count; i-- > 0;) {
        if (!line.empty()) line += ';';
        line += Name(view.frames.function(view.frames.line(location.first_line + i).function).name);
      }
    }
    if (place.second == analyze::kEmptyPath) line += line.empty() ? "<no stack>" : ";<no stack>";
    by_line[line] += samples;
  }
  for (const auto& [line, samples] : by_line) sink(line + " " + std::to_string(samples) + "\n");
}

}  // namespace ompprof::report
