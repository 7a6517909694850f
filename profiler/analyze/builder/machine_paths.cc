#include "profiler/analyze/builder/machine_paths.h"

namespace ompprof::analyze {

MachinePaths::Known MachinePaths::Step(const Known& above, const model::Node& node) {
  Known known = above;
  known.done = true;
  switch (node.kind) {
    case NODE_ROOT:
      known.epoch = static_cast<uint32_t>(node.value);
      break;
    case NODE_FRAME: {
      const model::CodeAddress place = symbolizer_.Locate(number_, node.value, node.return_address, above.epoch);
      const std::vector<model::SourceFrame>& found = symbolizer_.Frames(place);
      if (!node.runtime) mpi_.Go(found, place.object, &known.mpi);
      std::vector<Line> lines;
      for (const model::SourceFrame& frame : found)
        lines.push_back({frames_.AddFunction(frame, place.object), frame.line});
      known.path = paths_.Child(above.path, frames_.AddLocation(place, lines));
      break;
    }
    case NODE_CUT:
      known.path = paths_.Child(above.path, frames_.AddPseudo(kFramesCut));
      break;
    case NODE_BROKEN:
      known.path = paths_.Child(above.path, frames_.AddPseudo("<unwind stopped>"));
      break;
    case NODE_UNSAMPLED_HANDLER:
      known.path = paths_.Child(above.path, frames_.AddPseudo(kUnsampledHandler));
      break;
    default:  // the markers of tasks appear in the user view only
      known.mpi = {};
      break;
  }
  return known;
}

MachinePaths::Result MachinePaths::Path(const model::SampleRow& row) {
  const model::Node* leaf = process_.FindNode(row.tree, row.node);
  if (leaf == nullptr) return {paths_.Child(kEmptyPath, frames_.AddPseudo("<no stack>")), false};
  const std::vector<model::Node>& nodes = process_.trees.at(row.tree).nodes;
  std::vector<Known>& known = known_[row.tree];
  known.resize(nodes.size());
  uint32_t at = row.node;
  for (pending_.clear(); at != 0 && !known[at - 1].done; at = nodes[at - 1].parent) pending_.push_back(at);
  Known above = at == 0 ? Known{kEmptyPath, 0, true, {}} : known[at - 1];
  for (; !pending_.empty(); pending_.pop_back()) {
    above = Step(above, nodes[pending_.back() - 1]);
    known[pending_.back() - 1] = above;
  }
  return {above.path, above.mpi.inside && leaf->kind == NODE_FRAME && !leaf->runtime};
}

}  // namespace ompprof::analyze
