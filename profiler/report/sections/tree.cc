#include "profiler/report/sections/tree.h"

#include <algorithm>
#include <vector>

#include "profiler/report/basics/names_text.h"
#include "profiler/report/basics/text_table.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {
namespace {

// The deepest indentation. Deeper functions keep this indentation.
constexpr size_t kDeepestIndent = 60;

constexpr char kFoldedNote[] =
    "x46 marks a folded recursion: up to 46 calls of the function were in one call path. --no-fold shows each call";

// The vertical rules beside a node: one for each ancestor with further siblings below.
std::string Rule(const std::vector<bool>& more, bool last, size_t deepest) {
  std::string rule;
  for (size_t i = 0; i < more.size() && i < deepest; ++i) rule += more[i] ? "│ " : "  ";
  return rule + (last ? "└ " : "├ ");
}

// "relax solve.c:12 x46".
std::string NodeName(const analyze::View& view, const analyze::CallNode& node, const TextOptions& options) {
  const analyze::ViewFunction& function = view.frames.function(node.function);
  std::string name = NameText(view, node.function, options);
  if (node.line != 0 && !function.file.empty())
    name += " " + Printable(BaseName(function.file)) + ":" + std::to_string(node.line);
  const std::string depth = analyze::RecursionText(node.recursion);
  return depth.empty() ? name : name + " " + depth;
}

struct Visit {
  std::vector<uint32_t> shown;  // children
  size_t next = 0;
};

// The nodes to show: those of at least `least`, and of these the `limit` (0: all) with the most. A node never has more
// than its parent, and comes behind it, so the parent of a shown node is shown.
std::vector<bool> Shown(const analyze::CallTree& tree, analyze::Metric metric, double least, size_t limit) {
  std::vector<uint32_t> nodes;
  for (uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (static_cast<double>(CostIn(tree.nodes[i].total, metric)) >= least) nodes.push_back(i);
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) {
    return CostIn(tree.nodes[a].total, metric) > CostIn(tree.nodes[b].total, metric);
  });
  if (limit != 0 && nodes.size() > limit) nodes.resize(limit);
  std::vector<bool> shown(tree.nodes.size());
  for (const uint32_t node : nodes) shown[node] = true;
  return shown;
}

}  // namespace

std::string TextTree(const analyze::View& view, const analyze::CallTree& tree, const TextOptions& options) {
  using Align = TextTable::Align;
  using Fit = TextTable::Fit;
  const analyze::Metric metric = options.metric;
  const uint64_t whole = Total(view, metric);
  // A node without any amount of the metric is never shown.
  const double least = std::max(1.0, options.min_percent / 100 * static_cast<double>(whole));
  // On a narrow terminal, names matter more than depth.
  const size_t deepest = options.style.width == 0
                             ? kDeepestIndent
                             : std::min(kDeepestIndent, (std::max<size_t>(options.style.width, 60) - 40) / 4);
  TextTable table(
      {{"total", Align::kRight}, {"", Align::kRight}, {"self", Align::kRight}, {"", Align::kLeft, Fit::kShorten}});

  const std::vector<bool> is_shown = Shown(tree, metric, least, options.limit);
  uint64_t left_out = 0;
  const auto visit = [&](uint32_t node) {
    Visit v;
    for (uint32_t i = tree.first_child[node]; i < tree.first_child[node + 1]; ++i) {
      if (is_shown[tree.children[i]])
        v.shown.push_back(tree.children[i]);
      else
        left_out += CostIn(tree.nodes[tree.children[i]].total, metric);
    }
    return v;
  };
  std::vector<Visit> visits = {visit(0)};
  std::vector<bool> more;
  bool folded = false;
  while (!visits.empty()) {
    Visit& v = visits.back();
    if (v.next == v.shown.size()) {
      visits.pop_back();
      if (!more.empty()) more.pop_back();
      continue;
    }
    const uint32_t child = v.shown[v.next++];
    const bool last = v.next == v.shown.size();
    const analyze::CallNode& node = tree.nodes[child];
    const std::string name = NodeName(view, node, options);
    const Color color = NameColor(NameText(view, node.function, options));
    folded = folded || node.recursion.calls > 1;
    const uint64_t total = CostIn(node.total, metric);
    const uint64_t self = CostIn(node.self, metric);
    table.Add({CostText(view, metric, node.total), ShareCell(total, whole), self == 0 ? "" : Share(self, whole),
               TextTable::Cell((visits.size() == 1 ? "" : Rule(more, last, deepest)) + name, color)});
    if (visits.size() > 1) more.push_back(!last);  // roots are at the margin and need no rule
    visits.push_back(visit(child));
  }
  std::string text = table.empty() ? "  none\n" : table.Text(options.style);
  if (folded) text += "\n" + Sentence(options.style, kFoldedNote);
  if (left_out > 0) {
    text += Sentence(options.style,
                     AmountText(view, metric, left_out) + " (" + Share(left_out, whole) +
                         (options.limit == 0 ? ") is in branches too small to show; --min-percent=0 shows them"
                                             : ") is in branches not shown; --min-percent=0 --limit=0 shows them"));
  }
  return text;
}

}  // namespace ompprof::report
