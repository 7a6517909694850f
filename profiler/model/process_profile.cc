#include "profiler/model/process_profile.h"

#include <algorithm>

namespace ompprof::model {

OmptState StateOf(const WaitStats& wait) { return StateFromWire(wait.state()); }

const Node* ProcessProfile::FindNode(uint32_t tree, uint32_t node) const {
  const auto found = trees.find(tree);
  return found == trees.end() ? nullptr : found->second.Find(node);
}

const RegionContext* ProcessProfile::FindContext(uint32_t id) const {
  const auto found = contexts.find(id);
  return found == contexts.end() ? nullptr : &found->second;
}

uint32_t ProcessProfile::Epoch(uint32_t tree, uint32_t node) const {
  const auto found = trees.find(tree);
  if (found == trees.end()) return 0;
  for (const Node* at = found->second.Find(node); at != nullptr; at = found->second.Find(at->parent)) {
    if (at->kind == NODE_ROOT) return static_cast<uint32_t>(at->value);
  }
  return 0;
}

uint64_t ProcessProfile::DurationNs() const {
  const uint64_t end = std::max(last_mono_ns, footer.end_mono_ns());
  return end > header.start_mono_ns() ? end - header.start_mono_ns() : 0;
}

}  // namespace ompprof::model
