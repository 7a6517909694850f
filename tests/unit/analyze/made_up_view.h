// Views whose paths and samples are made up singly. Tests of analyses that need no recorded file build them.
#ifndef OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_VIEW_H_
#define OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "proto/ompt_state.h"

namespace ompprof::test {

struct MadeUpSample {
  std::vector<std::string> path;  // outermost first; "outer|inner" is one location with `inner` inlined
  uint64_t samples = 1;
  uint64_t weight = 1000;
  uint64_t wait = 0;
  uint64_t blame = 0;
  uint32_t thread = 1;
  OmptState state = OmptState::kWorkParallel;
  std::string region = {};  // a function's name
};

struct MadeUpView {
  analyze::View view;

  MadeUpView() {
    analyze::ProcessFacts& made_up = view.run.processes.emplace_back();
    made_up.sampling.weight_unit = "nanoseconds";
    made_up.sampling.clock = "cpu";
    made_up.pid = 42;
  }

  analyze::ProcessFacts& process() { return view.run.processes[0]; }

  // The function of that name, in "NAME.c", declared at line 1. A name that begins with '<' is no code.
  analyze::FunctionId Function(const std::string& name) {
    const bool made_up = name[0] == '<';
    return view.frames.AddFunction({name, "", made_up ? "" : name + ".c", made_up ? 0u : 1u, 0});
  }

  analyze::PathId Path(const std::vector<std::string>& names) {
    analyze::PathId path = analyze::kEmptyPath;
    for (const std::string& name : names) {
      std::vector<analyze::Line> lines;  // innermost first
      for (size_t at = 0; at != std::string::npos;) {
        const size_t bar = name.find('|', at);
        const analyze::FunctionId function = Function(name.substr(at, bar == std::string::npos ? bar : bar - at));
        lines.insert(lines.begin(), {function, view.frames.function(function).line});
        at = bar == std::string::npos ? bar : bar + 1;
      }
      path = view.paths.Child(path, view.frames.AddLocation({0, 0}, lines));
    }
    return path;
  }

  void Add(const MadeUpSample& made_up) {
    analyze::ViewSample sample{};
    sample.path = Path(made_up.path);
    sample.thread = made_up.thread;
    sample.state = made_up.state;
    sample.region = made_up.region.empty() ? analyze::kNoFunction : Function(made_up.region);
    sample.cost.samples = made_up.samples;
    sample.cost.weight = made_up.weight;
    sample.cost.wait = made_up.wait;
    sample.cost.blame = made_up.blame;
    view.samples.push_back(sample);
    view.total_samples += sample.cost.samples;
    view.total_weight += sample.cost.weight;
    view.total_wait += sample.cost.wait;
    view.total_blame += sample.cost.blame;
    if (sample.cost.samples > 0) {
      const double weight = static_cast<double>(sample.cost.weight);
      view.weight_squares += weight * weight / static_cast<double>(sample.cost.samples);
    }
  }

  // "main;A;B 1000", a string for each sample.
  std::vector<std::string> Stacks() const {
    std::vector<std::string> stacks;
    for (const analyze::ViewSample& sample : view.samples) {
      std::string text;
      for (const analyze::LocationId id : view.paths.Locations(sample.path)) {
        const analyze::Location& location = view.frames.location(id);
        for (uint32_t i = location.line_count; i-- > 0;)
          text +=
              (text.empty() ? "" : ";") + view.frames.function(view.frames.line(location.first_line + i).function).name;
      }
      stacks.push_back(text + " " + std::to_string(sample.cost.weight));
    }
    return stacks;
  }
};

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_VIEW_H_
