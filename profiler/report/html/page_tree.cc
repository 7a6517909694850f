#include "profiler/report/html/page_tree.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

namespace ompprof::report {
namespace {

// The measures of a node's width: CPU time, waiting and blame, for each run.
constexpr int kMeasures = 6;
using Measures = std::array<double, kMeasures>;

void Add(const StackRow& row, Measures* measures) {
  const int run = row.before ? 3 : 0;
  (*measures)[run] += static_cast<double>(row.cost.weight);
  (*measures)[run + 1] += static_cast<double>(row.cost.wait);
  (*measures)[run + 2] += static_cast<double>(row.cost.all_blame());
}

Measures Sum(const std::vector<StackRow>& rows) {
  Measures all = {};
  for (const StackRow& row : rows) Add(row, &all);
  return all;
}

// The largest share of `all` among the measures.
float Share(const Measures& part, const Measures& all) {
  double share = 0;
  for (int i = 0; i < kMeasures; ++i) {
    if (all[i] > 0) share = std::max(share, part[i] / all[i]);
  }
  return static_cast<float>(share);
}

std::vector<float> Shares(const StackTree& tree) {
  std::vector<Measures> totals(tree.size(), Measures{});
  for (const StackRow& row : tree.rows()) Add(row, &totals[row.node]);
  for (uint32_t node = tree.size(); node-- > 1;) {
    for (int i = 0; i < kMeasures; ++i) totals[tree.parent(node)][i] += totals[node][i];
  }
  std::vector<float> shares(tree.size());
  for (uint32_t node = 0; node < tree.size(); ++node) shares[node] = Share(totals[node], totals[0]);
  return shares;
}

class CallersBuilder {
 public:
  CallersBuilder(const StackTree& tree, size_t limit) : tree_(tree), limit_(limit), all_(Sum(tree.rows())) {
    page_.nodes.push_back({0, 0});
  }

  PageTree Build() {
    Group root{0, 1, {}};
    for (uint32_t row = 0; row < tree_.rows().size(); ++row) root.entries.push_back({tree_.rows()[row].node, row});
    groups_.push(std::move(root));
    while (!groups_.empty()) {
      // Moves the entries, which may be a million. The queue's order does not depend on them.
      Group group = std::move(const_cast<Group&>(groups_.top()));
      groups_.pop();
      if (page_.nodes.size() < limit_)
        Expand(&group);
      else
        for (const Entry& entry : group.entries) Attach(entry.row, group.node);
    }
    MergeRows(&page_.rows);
    return std::move(page_);
  }

 private:
  // The least share of a node in a bottom-up tree. Every caller repeats its callees there, so narrower nodes are cut.
  static constexpr float kLeast = 0.0003F;

  struct Entry {
    uint32_t at;   // the next frame, in the stack tree; 0: none
    uint32_t row;  // the row with the cost
  };
  struct Group {
    uint32_t node;  // in the page's tree
    float share;
    std::vector<Entry> entries;

    bool operator<(const Group& other) const { return share < other.share; }
  };

  void Attach(uint32_t row, uint32_t node) {
    page_.rows.push_back(tree_.rows()[row]);
    page_.rows.back().node = node;
  }

  uint32_t AddNode(uint32_t parent, int64_t frame) {
    page_.nodes.push_back({parent, frame});
    return static_cast<uint32_t>(page_.nodes.size() - 1);
  }

  void Expand(Group* group) {
    std::vector<Entry>& entries = group->entries;
    const auto frame = [this](const Entry& entry) { return entry.at == 0 ? -1 : int64_t{tree_.frame(entry.at)}; };
    std::stable_sort(entries.begin(), entries.end(),
                     [&](const Entry& a, const Entry& b) { return frame(a) < frame(b); });
    std::vector<uint32_t> folded;  // rows
    int64_t folded_frames = 0;
    for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      Measures sum = {};
      for (; end < entries.size() && frame(entries[end]) == frame(entries[begin]); ++end)
        Add(tree_.rows()[entries[end].row], &sum);
      if (entries[begin].at == 0) {
        for (size_t i = begin; i < end; ++i) Attach(entries[i].row, group->node);
        continue;
      }
      const float share = Share(sum, all_);
      if (share < kLeast) {
        ++folded_frames;
        for (size_t i = begin; i < end; ++i) folded.push_back(entries[i].row);
        continue;
      }
      Group callers{AddNode(group->node, frame(entries[begin])), share, {}};
      for (size_t i = begin; i < end; ++i) {
        page_.nodes[callers.node].recursion.Include(tree_.recursion(entries[i].at));
        callers.entries.push_back({tree_.parent(entries[i].at), entries[i].row});
      }
      groups_.push(std::move(callers));
    }
    if (folded.empty()) return;
    const uint32_t more = AddNode(group->node, -folded_frames);
    for (const uint32_t row : folded) Attach(row, more);
  }

  const StackTree& tree_;
  const size_t limit_;
  const Measures all_;
  PageTree page_;
  std::priority_queue<Group> groups_;  // widest first
};

// A "(N more)" this wide gets children: the functions with the largest costs of their own in what it stands for.
constexpr float kWideMore = 0.01F;
constexpr size_t kMoreFunctions = 20;

// Tells what the wide "(N more)" of a cut tree consist of. The page's rows are the tree's, in order.
void TellFunctionsOfMore(const StackTree& tree, PageTree* page) {
  const Measures all = Sum(tree.rows());
  std::map<uint32_t, std::map<uint32_t, std::vector<size_t>>> folded;  // rows, by "(N more)" and frame
  for (size_t row = 0; row < page->rows.size(); ++row) {
    const uint32_t node = page->rows[row].node;
    if (page->nodes[node].frame < 0) folded[node][tree.frame(tree.rows()[row].node)].push_back(row);
  }
  for (const auto& [more, rows_by_frame] : folded) {
    struct Function {
      float share;
      uint32_t frame;
      const std::vector<size_t>* rows;
    };
    std::vector<Function> functions;
    Measures sum = {};
    for (const auto& [frame, rows] : rows_by_frame) {
      Measures own = {};
      for (const size_t row : rows) {
        Add(page->rows[row], &own);
        Add(page->rows[row], &sum);
      }
      functions.push_back({Share(own, all), frame, &rows});
    }
    if (Share(sum, all) < kWideMore) continue;
    std::stable_sort(functions.begin(), functions.end(),
                     [](const Function& a, const Function& b) { return a.share > b.share; });
    if (functions.size() > kMoreFunctions) functions.resize(kMoreFunctions);
    for (const Function& function : functions) {
      for (const size_t row : *function.rows) page->rows[row].node = static_cast<uint32_t>(page->nodes.size());
      page->nodes.push_back({more, int64_t{function.frame}});
    }
  }
}

}  // namespace

PageTree CutTree(const StackTree& tree, size_t limit, std::vector<uint32_t>* kept) {
  const std::vector<float> shares = Shares(tree);
  std::vector<bool> keep(tree.size(), true);
  if (tree.size() > limit) {
    // A parent is at least as wide as its children and comes before them, so the kept nodes form a tree.
    std::vector<uint32_t> order(tree.size());
    std::iota(order.begin(), order.end(), 0);
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(limit), order.end(),
                     [&](uint32_t a, uint32_t b) { return shares[a] != shares[b] ? shares[a] > shares[b] : a < b; });
    for (size_t i = limit; i < order.size(); ++i) keep[order[i]] = false;
    keep[0] = true;
  }

  PageTree page;
  std::vector<uint32_t> to(tree.size());
  std::vector<uint32_t> more(tree.size(), 0);  // by kept node: its "(N more)" in the page; 0: none yet
  page.nodes.push_back({0, 0});
  for (uint32_t node = 1; node < tree.size(); ++node) {
    const uint32_t parent = tree.parent(node);
    if (keep[node] && keep[parent]) {
      to[node] = static_cast<uint32_t>(page.nodes.size());
      page.nodes.push_back({to[parent], int64_t{tree.frame(node)}, tree.recursion(node)});
      continue;
    }
    keep[node] = false;
    if (!keep[parent]) {
      to[node] = to[parent];
      if (page.nodes[to[parent]].frame < 0) --page.nodes[to[parent]].frame;
      continue;
    }
    if (more[parent] == 0) {
      more[parent] = static_cast<uint32_t>(page.nodes.size());
      page.nodes.push_back({to[parent], 0});
    }
    to[node] = more[parent];
    --page.nodes[more[parent]].frame;
  }
  page.rows = tree.rows();
  for (StackRow& row : page.rows) row.node = to[row.node];
  TellFunctionsOfMore(tree, &page);
  MergeRows(&page.rows);
  if (kept != nullptr) *kept = std::move(to);
  return page;
}

PageTree CallersTree(const StackTree& tree, size_t limit) { return CallersBuilder(tree, limit).Build(); }

}  // namespace ompprof::report
