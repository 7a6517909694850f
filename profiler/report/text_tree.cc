#include "profiler/report/text_tree.h"

#include <vector>

#include "profiler/report/short_name.h"
#include "profiler/report/text_header.h"
#include "profiler/report/text_table.h"
#include "profiler/report/units.h"

namespace ompprof::report {
namespace {

// What a terminal shows of a path; a deeper one goes on without further indentation.
constexpr size_t kDeepestIndent = 60;

// The rule beside a node: one cell for each ancestor that has younger siblings to come.
std::string Rule(const std::vector<bool>& more, bool last) {
  std::string rule;
  for (size_t i = 0; i < more.size() && i < kDeepestIndent; ++i) rule += more[i] ? "│ " : "  ";
  return rule + (last ? "└ " : "├ ");
}

struct Visit {
  uint32_t node;
  uint32_t next;  // index into children
  uint32_t end;   // of the children that are shown
};

}  // namespace

std::string TextTree(const analyze::View& view, const analyze::CallTree& tree, double min_percent,
                     bool full_names) {
  using Align = TextTable::Align;
  const bool ns = WeighsNanoseconds(view);
  const uint64_t whole = view.total_weight;
  const double least = min_percent / 100 * static_cast<double>(whole);
  TextTable table({{"total", Align::kRight}, {"", Align::kRight}, {"self", Align::kRight}, {"", Align::kLeft}});

  // Children are sorted by total: those that are shown come first.
  const auto visit = [&](uint32_t node) {
    Visit v = {node, tree.first_child[node], tree.first_child[node]};
    while (v.end < tree.first_child[node + 1] &&
           static_cast<double>(tree.nodes[tree.children[v.end]].total.weight) >= least) {
      ++v.end;
    }
    return v;
  };
  std::vector<Visit> visits = {visit(0)};
  std::vector<bool> more;
  uint64_t left_out = 0;
  while (!visits.empty()) {
    Visit& v = visits.back();
    if (v.next == v.end) {
      for (uint32_t i = v.end; i < tree.first_child[v.node + 1]; ++i) left_out += tree.nodes[tree.children[i]].total.weight;
      visits.pop_back();
      if (!more.empty()) more.pop_back();
      continue;
    }
    const bool last = v.next + 1 == v.end;
    const uint32_t child = tree.children[v.next++];
    const analyze::CallNode& node = tree.nodes[child];
    const analyze::ViewFunction& function = view.frames.function(node.function);
    std::string name = Printable(full_names ? function.name : ShortName(function.name));
    if (node.line != 0 && !function.file.empty()) name += " " + BaseName(function.file) + ":" + std::to_string(node.line);
    table.Add({Weight(node.total.weight, ns), Share(node.total.weight, whole),
               node.self.weight == 0 ? "" : Share(node.self.weight, whole),
               (visits.size() == 1 ? "" : Rule(more, last)) + name});
    if (visits.size() > 1) more.push_back(!last);  // roots stand at the margin and need no rule
    visits.push_back(visit(child));
  }
  std::string text = table.Text();
  if (left_out > 0) {
    text += "  " + Weight(left_out, ns) + " (" + Share(left_out, whole) +
            ") is in branches too small to show; --min-percent=0 shows them\n";
  }
  return text;
}

}  // namespace ompprof::report
