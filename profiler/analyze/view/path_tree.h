// Call paths as a tree of locations. A path is identified by the number of its last node. The view builder fills the
// tree; the exporters and the call tree walk it.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_PATH_TREE_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_PATH_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ompprof::analyze {

using PathId = uint32_t;
using LocationId = uint32_t;

// The path with no frames.
inline constexpr PathId kEmptyPath = 0;

class PathTree {
 public:
  struct Node {
    PathId parent;
    LocationId location;
  };

  PathTree();

  // The path that continues `path` with `location`; created if necessary.
  PathId Child(PathId path, LocationId location);

  // A node's parent has a smaller number than the node.
  const Node& node(PathId path) const { return nodes_[path]; }
  size_t size() const { return nodes_.size(); }

  // The path's locations, root first.
  std::vector<LocationId> Locations(PathId path) const;

 private:
  void Grow();
  size_t Slot(PathId parent, LocationId location) const;

  std::vector<Node> nodes_;    // nodes_[0] is the empty path
  std::vector<PathId> slots_;  // open addressing over (parent, location); 0: free
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_PATH_TREE_H_
