#include "profiler/analyze/view/path_filter.h"

#include <algorithm>

namespace ompprof::analyze {
namespace {

// The remaining lines of a location, innermost first.
std::vector<Line> LinesOf(const View& view, LocationId id) {
  const Location& location = view.frames.location(id);
  std::vector<Line> lines;
  for (uint32_t i = 0; i < location.line_count; ++i) lines.push_back(view.frames.line(location.first_line + i));
  return lines;
}

// The location with only these lines; 0 if there are none.
LocationId Reduced(View* view, LocationId id, const std::vector<Line>& kept) {
  if (kept.empty()) return 0;
  if (kept.size() == view->frames.location(id).line_count) return id;
  return view->frames.AddLocation(view->frames.location(id).place, kept);
}

// Gives each sample the path that replaces its path, and drops samples without a remaining path.
void Replace(const std::vector<PathId>& replacement, View* view) {
  for (ViewSample& sample : view->samples) sample.path = replacement[sample.path];
  for (RegionRun& run : view->region_runs) run.path = replacement[run.path];
  for (DevicePathTotal& part : view->device_paths) {
    part.path = replacement[part.path];
    part.leaf = replacement[part.leaf];
  }
  DropSamples([](const ViewSample& sample) { return sample.path == kEmptyPath; }, view);
}

}  // namespace

std::vector<bool> MatchingFunctions(const View& view, const NamePattern& pattern) {
  std::vector<bool> matches(view.frames.function_count());
  for (FunctionId id = 1; id < matches.size(); ++id) {
    const std::string& name = view.frames.function(id).name;
    const std::string shown = view.frames.ShortName(name);
    // A name that tables show with some of its template arguments may be given like that.
    matches[id] = pattern.Matches(name) || (shown != ShortName(name) && pattern.Matches(shown));
  }
  return matches;
}

void DropSamples(const std::function<bool(const ViewSample&)>& drop, View* view) {
  constexpr uint32_t kDropped = UINT32_MAX;
  std::vector<uint32_t> moved(view->timed.empty() ? 0 : view->samples.size(), kDropped);
  uint32_t kept = 0;
  for (size_t i = 0; i < view->samples.size(); ++i) {
    if (drop(view->samples[i])) continue;
    if (!moved.empty()) moved[i] = kept;
    view->samples[kept++] = view->samples[i];
  }
  view->samples.resize(kept);
  const auto gone = [&](TimedSample& timed) { return (timed.sample = moved[timed.sample]) == kDropped; };
  view->timed.erase(std::remove_if(view->timed.begin(), view->timed.end(), gone), view->timed.end());
}

void HideFunctions(const NamePattern& pattern, View* view) {
  const std::vector<bool> hidden = MatchingFunctions(*view, pattern);
  std::vector<LocationId> reduced(view->frames.location_count());
  for (LocationId id = 1; id < reduced.size(); ++id) {
    std::vector<Line> lines = LinesOf(*view, id);
    lines.erase(std::remove_if(lines.begin(), lines.end(), [&](const Line& line) { return hidden[line.function]; }),
                lines.end());
    reduced[id] = Reduced(view, id, lines);
  }
  std::vector<PathId> replacement(view->paths.size(), kEmptyPath);
  for (PathId path = 1; path < replacement.size(); ++path) {
    const PathTree::Node node = view->paths.node(path);
    const LocationId location = reduced[node.location];
    replacement[path] =
        location == 0 ? replacement[node.parent] : view->paths.Child(replacement[node.parent], location);
  }
  Replace(replacement, view);
}

void ShowFrom(const NamePattern& pattern, View* view) {
  const std::vector<bool> matches = MatchingFunctions(*view, pattern);
  // The rest of each location if the path begins there: from the outermost match inwards.
  std::vector<LocationId> first(view->frames.location_count());
  for (LocationId id = 1; id < first.size(); ++id) {
    std::vector<Line> lines = LinesOf(*view, id);
    while (!lines.empty() && !matches[lines.back().function]) lines.pop_back();
    first[id] = Reduced(view, id, lines);
  }
  std::vector<PathId> replacement(view->paths.size(), kEmptyPath);
  for (PathId path = 1; path < replacement.size(); ++path) {
    const PathTree::Node node = view->paths.node(path);
    const PathId above = replacement[node.parent];
    const LocationId location = above == kEmptyPath ? first[node.location] : node.location;
    if (location != 0) replacement[path] = view->paths.Child(above, location);
  }
  Replace(replacement, view);
}

}  // namespace ompprof::analyze
