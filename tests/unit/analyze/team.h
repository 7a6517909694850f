// Profiles whose samples are in team_library.c, and their views as text.
#ifndef OMPPROF_TESTS_UNIT_ANALYZE_TEAM_H_
#define OMPPROF_TESTS_UNIT_ANALYZE_TEAM_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profiler/analyze/builder/build_view.h"
#include "profiler/analyze/view/view.h"
#include "tests/unit/model/profile_builder.h"
#include "tests/unit/model/symbol_address.h"

namespace ompprof::test {

class Team {
 public:
  static constexpr uint64_t kBias = 0x7f1200000000;
  static constexpr char kLibrary[] = "tests/unit/analyze/team.so";

  Team() { builder.AddModule(1, kLibrary, kBias, 0x100000); }

  // The address in memory of a label of the library.
  uint64_t At(const std::string& label) const { return kBias + addresses_.at(label); }

  // A tree's root.
  uint32_t Root(uint32_t tree) { return builder.AddNode(tree, 0, NODE_ROOT, 0); }

  // Adds user frames and runtime frames, by label, below `parent`. Returns the id of the last frame. A label that
  // begins with '~' is a runtime frame.
  uint32_t Frames(uint32_t tree, uint32_t parent, const std::vector<std::string>& labels) {
    for (const std::string& label : labels) {
      const bool runtime = label[0] == '~';
      const uint64_t address = At(runtime ? label.substr(1) : label);
      parent = builder.AddNode(tree, parent, NODE_FRAME | (runtime ? NODE_RUNTIME : 0), address);
    }
    return parent;
  }

  // The paths of the samples, "outermost;...;innermost", sorted.
  std::vector<std::string> Paths(analyze::ViewKind kind = analyze::ViewKind::kUser) {
    Build(kind);
    std::vector<std::string> paths;
    for (const analyze::ViewSample& sample : view.samples) {
      std::string text;
      for (const analyze::LocationId id : view.paths.Locations(sample.path)) {
        const analyze::Location& location = view.frames.location(id);
        for (uint32_t i = location.line_count; i-- > 0;) {
          const analyze::Line& line = view.frames.line(location.first_line + i);
          text += (text.empty() ? "" : ";") + view.frames.function(line.function).name;
        }
      }
      paths.push_back(text);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  void Build(analyze::ViewKind kind = analyze::ViewKind::kUser) {
    read = Read(builder);
    symbolizer = model::Symbolizer();
    view = analyze::BuildView({&read.profile}, kind, &symbolizer);
  }

  ProfileBuilder builder;
  model::ReadResult read;
  model::Symbolizer symbolizer;
  analyze::View view;

 private:
  std::map<std::string, uint64_t> addresses_ = SymbolAddresses(kLibrary);
};

using Strings = std::vector<std::string>;

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_ANALYZE_TEAM_H_
