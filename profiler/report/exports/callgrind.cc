// Exports a view in callgrind's format, for kcachegrind, qcachegrind and callgrind_annotate. `ompprof export` calls it.
//
// The format has functions with the cost of their lines, and calls with the cost of all that happened in them. Readers
// add calls up to a function's inclusive cost. In a recursion that would count a stack several times. So a function's
// frames below its outermost frame are a function of their own, with '2 behind the name, as callgrind writes them. Each
// stack then has one call of the function itself, and the inclusive cost equals the total of the report.
#include "profiler/report/exports/exports.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/analyze/view/call_tree.h"
#include "profiler/analyze/view/cost.h"
#include "profiler/report/basics/utf8.h"

namespace ompprof::report {
namespace {

using analyze::CallNode;
using analyze::CallTree;
using analyze::FunctionId;

constexpr uint32_t kInRecursion = 1;

// A function, or its frames below its outermost frame.
uint64_t Key(FunctionId function, bool recurs) { return uint64_t{function} << 1 | (recurs ? kInRecursion : 0); }

struct Call {
  uint32_t line;  // of the call
  uint64_t callee;
  bool operator<(const Call& other) const { return std::tie(line, callee) < std::tie(other.line, other.callee); }
};

struct FunctionBody {
  std::map<uint32_t, analyze::Cost> lines;
  std::map<Call, analyze::Cost> calls;
};

// A line of the format holds any text, but no end of line.
std::string OneLine(const std::string& text) {
  std::string line = ValidUtf8(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return line;
}

class CallgrindWriter {
 public:
  CallgrindWriter(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink)
      : view_(view), symbolizer_(symbolizer), sink_(sink) {}

  void Write() {
    AddUp();
    Header();
    for (const auto& [key, body] : bodies_) Function(key, body);
    Flush();
  }

 private:
  // The tree goes when its costs are added up.
  void AddUp() {
    const CallTree tree = analyze::BuildCallTree(view_, true);
    std::vector<uint64_t> keys(tree.nodes.size(), Key(analyze::kNoFunction, false));
    std::vector<bool> is_call(tree.nodes.size(), true);
    NameNodes(tree, &keys, &is_call);
    total_ = tree.nodes[0].total;
    for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
      const CallNode& node = tree.nodes[i];
      if (i == 0 && node.self.is_unsampled() && !node.self.has_waits_or_blame()) continue;
      FunctionBody& body = bodies_[keys[i]];
      body.lines[node.line].Add(node.self);
      if (i == 0 || node.parent == 0 || !is_call[i]) continue;
      bodies_[keys[node.parent]].calls[{tree.nodes[node.parent].line, keys[i]}].Add(node.total);
    }
  }

  // The function of each node, and whether its call counts: deeper calls of a recursion are within the second call.
  // Depth first, counting how often each function is on the way.
  void NameNodes(const CallTree& tree, std::vector<uint64_t>* keys, std::vector<bool>* is_call) const {
    struct Visit {
      uint32_t node;
      uint32_t next;  // index into tree.children
    };
    std::vector<uint32_t> open(view_.frames.function_count(), 0);
    std::vector<Visit> way = {{0, tree.first_child[0]}};
    while (!way.empty()) {
      Visit& at = way.back();
      if (at.next == tree.first_child[at.node + 1]) {
        if (at.node != 0) --open[tree.nodes[at.node].function];
        way.pop_back();
        continue;
      }
      const uint32_t child = tree.children[at.next++];
      const FunctionId function = tree.nodes[child].function;
      (*is_call)[child] = open[function] < 2;
      (*keys)[child] = Key(function, open[function]++ != 0);
      way.push_back({child, tree.first_child[child]});
    }
  }

  void Header() {
    const analyze::ProcessFacts& process = view_.run.first();
    const analyze::SamplingFacts& sampling = process.sampling;
    std::string clock = sampling.weighs_ns() ? (sampling.clock == "wall" ? "wall_ns" : "cpu_ns") : sampling.clock;
    for (char& c : clock) {
      if (c == ' ' || static_cast<unsigned char>(c) < ' ') c = '_';
    }
    std::string command;
    for (const std::string& word : process.argv) command += (command.empty() ? "" : " ") + word;
    text_ += "# callgrind format\nversion: 1\ncreator: ompprof\n";
    text_ += "pid: " + std::to_string(process.pid) + "\n";
    text_ += "cmd: " + OneLine(command.empty() ? process.program : command) + "\npart: 1\n";
    text_ += "desc: Trigger: Program termination\n\npositions: line\n";
    text_ += "event: " + clock + " : " + (sampling.weighs_ns() ? "Sampled time [ns]" : "Sampled events") + "\n";
    text_ += "event: samples : Samples\nevent: wait_ns : Waiting [ns]\n";
    text_ += "event: blame_ns : Waiting of other threads [ns]\n";
    text_ += "events: " + clock + " samples wait_ns blame_ns\nsummary:" + Values(total_) + "\n";
  }

  static std::string Values(const analyze::Cost& cost) {
    std::string values;
    for (const uint64_t value : {cost.weight, cost.samples, cost.wait, cost.all_blame()})
      values += ' ' + std::to_string(value);
    return values;
  }

  void Function(uint64_t key, const FunctionBody& body) {
    text_ += '\n' + Object("ob=", key) + File("fl=", key) + Name("fn=", key);
    for (const auto& [line, cost] : body.lines) {
      if (!cost.is_unsampled() || cost.has_waits_or_blame()) text_ += std::to_string(line) + Values(cost) + '\n';
    }
    for (const auto& [call, cost] : body.calls) {
      text_ += Object("cob=", call.callee) + File("cfi=", call.callee) + Name("cfn=", call.callee);
      text_ += "calls=1 " + std::to_string(Known(call.callee).line) + '\n';
      text_ += std::to_string(call.line) + Values(cost) + '\n';
    }
    if (text_.size() >= kSinkBytes) Flush();
  }

  const analyze::ViewFunction& Known(uint64_t key) const {
    return view_.frames.function(static_cast<FunctionId>(key >> 1));
  }

  // A text has a number, and stands behind the number once.
  static std::string Numbered(const char* what, std::unordered_map<std::string, size_t>* numbers,
                              const std::string& text) {
    const auto [entry, added] = numbers->emplace(text, numbers->size() + 1);
    return what + ("(" + std::to_string(entry->second)) + (added ? ") " + OneLine(text) : ")") + '\n';
  }

  std::string Object(const char* what, uint64_t key) {
    const std::string& path = symbolizer_.objects()[Known(key).object].path;
    return Numbered(what, &objects_, path.empty() ? "???" : path);
  }

  std::string File(const char* what, uint64_t key) {
    const std::string& file = Known(key).file;
    return Numbered(what, &files_, file.empty() ? "???" : file);
  }

  std::string Name(const char* what, uint64_t key) {
    const std::string& name = Known(key).name;
    return Numbered(what, &names_, (name.empty() ? "<no stack>" : name) + ((key & kInRecursion) != 0 ? "'2" : ""));
  }

  void Flush() {
    sink_(text_);
    text_.clear();
  }

  const analyze::View& view_;
  const model::Symbolizer& symbolizer_;
  const Sink& sink_;
  std::string text_;  // that the sink does not have
  analyze::Cost total_;
  std::map<uint64_t, FunctionBody> bodies_;
  std::unordered_map<std::string, size_t> objects_, files_, names_;
};

}  // namespace

void Callgrind(const analyze::View& view, const model::Symbolizer& symbolizer, const Sink& sink) {
  CallgrindWriter(view, symbolizer, sink).Write();
}

}  // namespace ompprof::report
