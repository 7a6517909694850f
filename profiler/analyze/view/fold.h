// Folds recursion in call paths: main f g f g f work becomes main f(3 calls) work. The call tree, the page and the
// exporters call it. Each has its own tree of frames, in which a call path is a chain of nodes.
//
// A frame whose function is already on the folded path returns to that function's node. The frames between leave the
// path. So a path holds each function of a recursion once, its leaf stays the leaf, and paths that differ only in the
// way through the recursion become one path. A frame returns only if all functions between are recursive. A function is
// recursive if some path of the tree holds it twice. So a function that calls different functions back (qsort) does
// not hide its callers. Folding a folded tree again changes nothing, if the recursive functions stay the same.
//
// A gap (frames that were cut from a deep stack) does not end a recursion: it leaves the path with the frames around.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_FOLD_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_FOLD_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::analyze {

// The most frames between two calls of one function in a recursion, folded recursions counting as their functions. The
// longest cycles known are recursive descent in C++ parsers, about 20 frames.
inline constexpr uint32_t kLongestCycle = 32;

// A node of the tree to fold. Node 0 is the root, and stands for no frame.
struct FoldFrame {
  uint32_t parent;      // has a smaller number
  uint32_t function;    // folding compares functions; numbers should be dense
  uint32_t place;       // distinguishes nodes of one function: a line, or 0
  bool is_gap = false;  // stands for frames that were cut
};

// The place of a folded recursion's node.
enum class FoldPlace {
  kFirst,  // of the outermost call
  kLast,   // of the innermost call, where the path goes on
};

// A recursion's depth, at the node that stands for it.
struct Recursion {
  uint32_t calls = 1;     // the most calls of the function that one path folds into this node
  bool at_least = false;  // frames were cut within the recursion, so `calls` is a lower bound

  // Takes the deeper recursion.
  void Include(const Recursion& other) {
    if (other.calls > calls) *this = other;
    if (other.calls == calls) at_least |= other.at_least;
  }
};

struct FoldedNode {
  uint32_t parent;  // has a smaller number; node 0 is the root
  uint32_t frame;   // a node of the unfolded tree with this node's function and place
  Recursion recursion;
};

struct Folding {
  std::vector<FoldedNode> nodes;
  std::vector<uint32_t> node_of;  // by node of the unfolded tree
  bool any = false;               // some frame was folded
  uint64_t looks = 0;             // nodes looked at, at most 2 * kLongestCycle for each frame
};

// Takes time linear in the size of the tree.
Folding FoldRecursion(const std::vector<FoldFrame>& tree, FoldPlace place);

// "x46", or "x46+" for a lower bound; "" for a single call.
std::string RecursionText(const Recursion& recursion);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_FOLD_H_
