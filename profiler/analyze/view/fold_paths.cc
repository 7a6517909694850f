#include "profiler/analyze/view/fold_paths.h"

#include <vector>

#include "profiler/analyze/view/fold.h"

namespace ompprof::analyze {
namespace {

// The paths as a tree of functions. A node's place is the number of its line in the frame table.
struct FunctionTree {
  std::vector<FoldFrame> frames = {{0, 0, 0}};
  std::vector<LocationId> location = {0};  // by node
  std::vector<uint32_t> last;              // by path: the node of its innermost function
};

FunctionTree BuildTree(const View& view) {
  FunctionTree tree;
  tree.last.assign(view.paths.size(), 0);
  for (PathId path = 1; path < tree.last.size(); ++path) {
    const PathTree::Node& node = view.paths.node(path);
    const Location& location = view.frames.location(node.location);
    uint32_t at = tree.last[node.parent];
    for (uint32_t i = location.line_count; i-- > 0;) {
      const uint32_t line = location.first_line + i;
      const FunctionId function = view.frames.line(line).function;
      tree.frames.push_back({at, function, line, view.frames.function(function).name == kFramesCut});
      tree.location.push_back(node.location);
      at = static_cast<uint32_t>(tree.frames.size() - 1);
    }
    tree.last[path] = at;
  }
  return tree;
}

// The path of each folded node. Functions of one location that still follow each other stay one location.
std::vector<PathId> FoldedPaths(const FunctionTree& tree, const Folding& folding, View* view) {
  std::vector<PathId> paths(folding.nodes.size(), kEmptyPath);
  std::vector<Line> lines;  // innermost first
  for (uint32_t node = 1; node < paths.size(); ++node) {
    const LocationId location = tree.location[folding.nodes[node].frame];
    lines.clear();
    uint32_t at = node;
    uint32_t next = 0;  // the place outside the present place in its location
    do {
      const uint32_t place = tree.frames[folding.nodes[at].frame].place;
      lines.push_back(view->frames.line(place));
      next = place + 1;
      at = folding.nodes[at].parent;
    } while (at != 0 && tree.location[folding.nodes[at].frame] == location &&
             tree.frames[folding.nodes[at].frame].place == next);
    const Location& whole = view->frames.location(location);
    const bool is_whole = lines.size() == whole.line_count;
    paths[node] = view->paths.Child(paths[at], is_whole ? location : view->frames.AddLocation(whole.place, lines));
  }
  return paths;
}

}  // namespace

void FoldPaths(View* view) {
  const FunctionTree tree = BuildTree(*view);
  const Folding folding = FoldRecursion(tree.frames, FoldPlace::kLast);
  if (!folding.any) return;
  const std::vector<PathId> paths = FoldedPaths(tree, folding, view);
  const auto replace = [&](PathId* path) { *path = paths[folding.node_of[tree.last[*path]]]; };
  for (ViewSample& sample : view->samples) replace(&sample.path);
  for (RegionRun& run : view->region_runs) replace(&run.path);
  for (DevicePathTotal& part : view->device_paths) {
    replace(&part.path);
    replace(&part.leaf);
  }
  for (auto& [key, lock] : view->locks) replace(&lock.path);
}

}  // namespace ompprof::analyze
