#include "profiler/report/html/thread_stacks.h"

#include <algorithm>

namespace ompprof::report {
namespace {

struct Whole {
  double weight = 1;
  double wait = 1;
  double blame = 1;
};

Whole WholeOf(const std::vector<ThreadStackRow>& rows) {
  Whole all;
  for (const ThreadStackRow& row : rows) {
    all.weight += static_cast<double>(row.cost.weight);
    all.wait += static_cast<double>(row.cost.wait);
    all.blame += static_cast<double>(row.cost.all_blame());
  }
  return all;
}

// The largest share of the whole among CPU time, waiting and blame.
double Share(const analyze::Cost& cost, const Whole& all) {
  return std::max({static_cast<double>(cost.weight) / all.weight, static_cast<double>(cost.wait) / all.wait,
                   static_cast<double>(cost.all_blame()) / all.blame});
}

// Moves each cost that is smaller than `least` one caller up.
void Lift(const PageTree& page, const Whole& all, double least, std::vector<ThreadStackRow>* rows) {
  for (ThreadStackRow& row : *rows) {
    if (Share(row.cost, all) < least) row.node = page.nodes[row.node].parent;
  }
  MergeRows(rows);
}

}  // namespace

std::vector<ThreadStackRow> ThreadStacks(const StackTree& tree, const PageTree& page, const std::vector<uint32_t>& kept,
                                         size_t limit) {
  std::vector<ThreadStackRow> rows = tree.thread_rows();
  for (ThreadStackRow& row : rows) row.node = kept[row.node];
  MergeRows(&rows);
  const Whole all = WholeOf(rows);
  // Each round doubles the size of what is small. At the root, a thread has one row for each state.
  constexpr int kRounds = 40;
  double least = 1e-6;
  for (int round = 0; round < kRounds && rows.size() > limit; ++round, least *= 2) Lift(page, all, least, &rows);
  return rows;
}

}  // namespace ompprof::report
