#include "profiler/analyze/account/outside_waits.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/analyze/view/state_kind.h"

namespace ompprof::analyze {
namespace {

constexpr char kLibcLock[] = "libc lock in ";

// "pthread mutex" for "<waiting: pthread mutex>"; empty for all else.
std::string WhatOf(const std::string& frame) {
  constexpr char kWaiting[] = "<waiting: ";
  constexpr size_t kSize = sizeof kWaiting - 1;
  return frame.rfind(kWaiting, 0) == 0 && frame.back() == '>' ? frame.substr(kSize, frame.size() - kSize - 1) : "";
}

// Whether the source file belongs to the program, and not to the compiler's or the system's libraries. std::mutex::lock
// is inlined from a header.
bool IsProgramsFile(const std::string& file) {
  return !file.empty() && file.rfind("/usr/include/", 0) != 0 && file.rfind("/usr/lib/", 0) != 0 &&
         file.find("/c++/") == std::string::npos && file.rfind("./", 0) != 0;
}

// The innermost line of the program's source on the path. Without lines: of the innermost frame.
Line PlaceOf(const View& view, PathId path) {
  Line innermost;
  for (; path != kEmptyPath; path = view.paths.node(path).parent) {
    const Location& location = view.frames.location(view.paths.node(path).location);
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const Line& line = view.frames.line(location.first_line + i);
      if (innermost.function == kNoFunction) innermost = line;
      if (line.line != 0 && IsProgramsFile(view.frames.function(line.function).file)) return line;
    }
  }
  return innermost;
}

}  // namespace

std::vector<OutsideWait> OutsideWaits(const View& view) {
  std::map<std::tuple<std::string, FunctionId, FunctionId, uint32_t>, OutsideWait> waits;
  for (const ViewSample& sample : view.samples) {
    if (sample.state != kStateLibraryWait || sample.path == kEmptyPath) continue;
    const PathTree::Node& leaf = view.paths.node(sample.path);
    const Location& location = view.frames.location(leaf.location);
    const std::string what = WhatOf(view.frames.function(view.frames.line(location.first_line).function).name);
    if (what.empty()) continue;
    const Line place = PlaceOf(view, leaf.parent);
    OutsideWait& wait = waits[{what, sample.region, place.function, place.line}];
    wait.what = what;
    wait.place = place;
    wait.region = sample.region;
    wait.slept_ns += sample.cost.wait;
    wait.variance += sample.cost.wait_variance;
    if (!view.run.process(sample.process).sampling.weighs_ns()) continue;
    wait.cpu_ns += sample.cost.weight;
    // Each sample stands for about as much.
    const double us = static_cast<double>(sample.cost.weight) / 1000;
    if (sample.cost.samples > 0) wait.variance += us * us / static_cast<double>(sample.cost.samples);
  }
  std::vector<OutsideWait> sorted;
  for (const auto& [key, wait] : waits) {
    if (wait.total_ns() > 0) sorted.push_back(wait);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OutsideWait& a, const OutsideWait& b) { return a.total_ns() > b.total_ns(); });
  return sorted;
}

std::string LibcRoutine(const std::string& what) {
  return what.rfind(kLibcLock, 0) == 0 ? what.substr(sizeof kLibcLock - 1) : "";
}

}  // namespace ompprof::analyze
