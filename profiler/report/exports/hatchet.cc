// Exports a view for Hatchet (hatchet.readthedocs.io), as the list of dictionaries that GraphFrame.from_literal takes.
// `ompprof export` calls it.
#include "profiler/report/exports/exports.h"

#include <string>
#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/report/basics/json_writer.h"

namespace ompprof::report {
namespace {

using analyze::CallNode;
using analyze::CallTree;

constexpr int kSecond = 9;  // digits of a nanosecond in it

class HatchetWriter {
 public:
  HatchetWriter(const analyze::View& view, const Sink& sink)
      : view_(view), tree_(analyze::BuildCallTree(view, false)), json_(sink) {
    const analyze::SamplingFacts& sampling = view.run.first().sampling;
    is_time_ = sampling.weighs_ns();
    weight_name_ = is_time_ ? "time" : sampling.clock;
  }

  // Without recursion: paths may be thousands of frames deep.
  void Write() {
    struct Visit {
      uint32_t node;
      uint32_t next;  // index into tree_.children
    };
    json_.BeginArray();
    const analyze::Cost& without_stack = tree_.nodes[0].self;
    if (!without_stack.is_unsampled() || without_stack.has_waits_or_blame()) {
      Begin("<no stack>", "", without_stack, without_stack);
      End();
    }
    std::vector<Visit> way = {{0, tree_.first_child[0]}};
    while (!way.empty()) {
      Visit& at = way.back();
      if (at.next == tree_.first_child[at.node + 1]) {
        if (at.node != 0) End();
        way.pop_back();
        continue;
      }
      const uint32_t child = tree_.children[at.next++];
      const CallNode& node = tree_.nodes[child];
      const analyze::ViewFunction& function = view_.frames.function(node.function);
      Begin(function.name.empty() ? "<unknown>" : function.name, function.file, node.self, node.total);
      way.push_back({child, tree_.first_child[child]});
    }
    json_.EndArray();
  }

 private:
  // A node without its children's end.
  void Begin(const std::string& name, const std::string& file, const analyze::Cost& self, const analyze::Cost& total) {
    json_.BeginObject();
    json_.Key("frame");
    json_.BeginObject();
    json_.Member("name", name);
    json_.Member("type", "function");
    if (!file.empty()) json_.Member("file", file);
    json_.EndObject();
    json_.Key("metrics");
    json_.BeginObject();
    for (const bool inclusive : {false, true}) {
      const analyze::Cost& cost = inclusive ? total : self;
      const std::string end = inclusive ? " (inc)" : "";
      Metric(weight_name_ + end, cost.weight, is_time_ ? kSecond : 0);
      Metric("samples" + end, cost.samples, 0);
      Metric("wait" + end, cost.wait, kSecond);
      Metric("blame" + end, cost.all_blame(), kSecond);
    }
    json_.EndObject();
    json_.Key("children");
    json_.BeginArray();
  }

  void End() {
    json_.EndArray();
    json_.EndObject();
  }

  void Metric(const std::string& name, uint64_t value, int digits) {
    json_.Key(name);
    json_.Scaled(value, digits);
  }

  const analyze::View& view_;
  const CallTree tree_;
  JsonText json_;
  bool is_time_;
  std::string weight_name_;
};

}  // namespace

void Hatchet(const analyze::View& view, const Sink& sink) { HatchetWriter(view, sink).Write(); }

}  // namespace ompprof::report
