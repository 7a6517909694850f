// Programs whose tasks make a tree: each task makes tasks and waits for them.
#include "tests/bench/task_programs.h"

namespace ompprof::bench {
namespace {

// A shape divides the nodes below a node among its children, kMost or fewer. Divide writes the size of each child's
// subtree, the child included, and returns the number of children.
struct Unbalanced {
  static constexpr int kMost = 4;
  static int Divide(int below, uint64_t seed, int* nodes) {
    const uint64_t random = seed * 0x9e3779b97f4a7c15u;
    const int most = 1 + static_cast<int>(random >> 62);
    int children = 0;
    while (below > 0) {
      // The first child takes 60 to 90 %, the second that much of the rest, and so on. The last takes the remainder.
      const int percent = 60 + static_cast<int>((random >> (8 * children)) % 31);
      const int taken = children + 1 == most ? below : static_cast<int>((int64_t{below} * percent + 99) / 100);
      nodes[children++] = taken;
      below -= taken;
    }
    return children;
  }
};

struct Shallow {
  static constexpr int kMost = 32;
  static int Divide(int below, uint64_t, int* nodes) {
    int children = 0;
    for (int left = kMost; below > 0; left--) {
      nodes[children] = (below + left - 1) / left;
      below -= nodes[children++];
    }
    return children;
  }
};

struct Deep {
  static constexpr int kMost = 1;
  static int Divide(int below, uint64_t, int* nodes) {
    nodes[0] = below;
    return below > 0 ? 1 : 0;
  }
};

// Visits the tree of `nodes` nodes that begins here.
template <class Shape>
Found Search(int nodes, uint64_t seed, int64_t body) {
  const uint64_t value = Spin(seed, body);
  int below[Shape::kMost];
  const int children = Shape::Divide(nodes - 1, seed, below);
  Found found[Shape::kMost];
  for (int i = 0; i < children; i++) {
    const int of_child = below[i];
#pragma omp task shared(found) firstprivate(i, of_child, seed, body)
    found[i] = Search<Shape>(of_child, seed * 33 + static_cast<uint64_t>(i) + 1, body);
  }
#pragma omp taskwait
  Found all{value, 1, static_cast<uint64_t>(children)};
  for (int i = 0; i < children; i++) all += found[i];
  return all;
}

// The queens' places in the rows above, one number a row.
struct Board {
  signed char column[16];
};

bool MayStand(const Board& board, int row, int column) {
  for (int above = 0; above < row; above++) {
    const int apart = board.column[above] - column;
    if (apart == 0 || apart == row - above || apart == above - row) return false;
  }
  return true;
}

Found PutQueens(const Board& board, int row, int n, int64_t body) {
  uint64_t seed = 1;
  for (int above = 0; above < row; above++) seed = seed * 17 + static_cast<uint64_t>(board.column[above]);
  const uint64_t value = Spin(seed, body);
  if (row == n) return {value, 1, 0};
  Found found[16];
  uint64_t tasks = 0;
  for (int column = 0; column < n; column++) {
    if (!MayStand(board, row, column)) continue;
    Board next = board;
    next.column[row] = static_cast<signed char>(column);
    tasks++;
#pragma omp task shared(found) firstprivate(next, row, column, n, body)
    found[column] = PutQueens(next, row + 1, n, body);
  }
#pragma omp taskwait
  Found all{value, 0, tasks};
  for (int column = 0; column < n; column++) all += found[column];
  return all;
}

}  // namespace

Found SearchUnbalanced(int nodes, int64_t body) { return Search<Unbalanced>(nodes, 1, body); }
Found SearchShallow(int nodes, int64_t body) { return Search<Shallow>(nodes, 1, body); }
Found SearchDeep(int nodes, int64_t body) { return Search<Deep>(nodes, 1, body); }

Found Fibonacci(int n, int64_t body) {
  const uint64_t value = Spin(static_cast<uint64_t>(n), body);
  if (n < 2) return {value, static_cast<uint64_t>(n), 0};
  Found left, right;
#pragma omp task shared(left) firstprivate(n, body)
  left = Fibonacci(n - 1, body);
#pragma omp task shared(right) firstprivate(n, body)
  right = Fibonacci(n - 2, body);
#pragma omp taskwait
  Found all{value, 0, 2};
  all += left;
  all += right;
  return all;
}

Found Queens(int n, int64_t body) { return PutQueens(Board{}, 0, n, body); }

}  // namespace ompprof::bench
