#include "profiler/analyze/account/unnamed_code.h"

#include <algorithm>
#include <map>

namespace ompprof::analyze {
namespace {

constexpr uint64_t kMostObjects = 3;
// Shares of the view's weight.
constexpr double kNoticeable = 0.05;
constexpr double kLeastOfObject = 0.01;

// The function that a path's samples are in; kNoFunction: none.
FunctionId LeafOf(const View& view, PathId path) {
  if (path == kEmptyPath) return kNoFunction;
  const Location& location = view.frames.location(view.paths.node(path).location);
  return location.line_count == 0 ? kNoFunction : view.frames.line(location.first_line).function;
}

// Whether the symbolizer called the function by its address.
bool IsUnnamed(const ViewFunction& function, const model::Object& object) {
  const std::string base = object.path.substr(object.path.rfind('/') + 1);
  return function.name.rfind(base + "+0x", 0) == 0;
}

// The minor version in the name of an interpreter of Python 3 or its library: 11 of python3.11 and
// libpython3.11.so.1.0.
uint32_t PythonMinor(const std::string& path) {
  constexpr char kName[] = "python3.";
  const size_t at = path.rfind(kName);
  uint32_t minor = 0;
  for (size_t i = at + sizeof kName - 1; at != std::string::npos && i < path.size() && minor < 100; ++i) {
    if (path[i] < '0' || path[i] > '9') break;
    minor = minor * 10 + static_cast<uint32_t>(path[i] - '0');
  }
  return minor;
}

// Finds the time in Python functions that have no names.
class PythonFinder {
 public:
  PythonFinder(const View& view, const model::Symbolizer& symbolizer) : view_(view), symbolizer_(symbolizer) {}

  PythonCode Find() {
    std::vector<uint8_t> on_path(view_.paths.size(), 0);
    for (PathId path = 1; path < view_.paths.size(); ++path) {
      const PathTree::Node& node = view_.paths.node(path);
      on_path[path] = on_path[node.parent] | Met(view_.frames.location(node.location));
    }
    for (const ViewSample& sample : view_.samples) {
      if (on_path[sample.path] == kLoop) python_.weight += sample.cost.weight;
    }
    return python_;
  }

 private:
  enum : uint8_t { kLoop = 1, kNamed = 2 };

  // What a location adds to its paths.
  uint8_t Met(const Location& location) {
    uint8_t met = 0;
    for (uint32_t i = 0; i < location.line_count; ++i) {
      const ViewFunction& function = view_.frames.function(view_.frames.line(location.first_line + i).function);
      if (function.name.rfind("py::", 0) == 0) met |= kNamed;
      if (function.name != "_PyEval_EvalFrameDefault") continue;
      met |= kLoop;
      if (python_.minor == 0) python_.minor = PythonMinor(symbolizer_.objects()[function.object].path);
    }
    return met;
  }

  const View& view_;
  const model::Symbolizer& symbolizer_;
  PythonCode python_;
};

}  // namespace

UnnamedCode FindUnnamedCode(const View& view, const model::Symbolizer& symbolizer) {
  std::map<uint32_t, uint64_t> weights;  // by object
  std::map<FunctionId, bool> known;
  for (const ViewSample& sample : view.samples) {
    const FunctionId leaf = LeafOf(view, sample.path);
    if (leaf == kNoFunction || sample.cost.weight == 0) continue;
    const ViewFunction& function = view.frames.function(leaf);
    if (function.object == 0) continue;
    const model::Object& object = symbolizer.objects()[function.object];
    if (object.file == nullptr) continue;
    const auto [entry, added] = known.emplace(leaf, false);
    if (added) entry->second = IsUnnamed(function, object);
    if (entry->second) weights[function.object] += sample.cost.weight;
  }
  UnnamedCode all;
  const auto whole = static_cast<double>(view.total_weight);
  for (const auto& [object, weight] : weights) {
    all.weight += weight;
    if (static_cast<double>(weight) >= kLeastOfObject * whole)
      all.objects.push_back({symbolizer.objects()[object].path, symbolizer.objects()[object].build_id, weight, "", ""});
  }
  std::stable_sort(all.objects.begin(), all.objects.end(),
                   [](const UnnamedObject& a, const UnnamedObject& b) { return a.weight > b.weight; });
  if (all.objects.size() > kMostObjects) all.objects.resize(kMostObjects);
  all.python = PythonFinder(view, symbolizer).Find();
  all.python_noticeable = whole > 0 && static_cast<double>(all.python.weight) >= kNoticeable * whole;
  all.noticeable = whole > 0 && static_cast<double>(all.weight) >= kNoticeable * whole;
  return all;
}

}  // namespace ompprof::analyze
