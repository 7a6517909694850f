#include "profiler/model/process_profile.h"

#include <algorithm>
#include <tuple>

namespace ompprof::model {
namespace {

auto Key(const SampleRow& row) {
  return std::tie(row.tree, row.node, row.thread, row.state, row.splice, row.region, row.wait_id);
}

}  // namespace

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

void ProcessProfile::CompactSamples() {
  std::sort(samples.begin(), samples.end(), [](const SampleRow& a, const SampleRow& b) { return Key(a) < Key(b); });
  size_t kept = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (kept > 0 && Key(samples[kept - 1]) == Key(samples[i])) {
      samples[kept - 1].samples += samples[i].samples;
      samples[kept - 1].weight += samples[i].weight;
      samples[kept - 1].wait += samples[i].wait;
      samples[kept - 1].blame += samples[i].blame;
      samples[kept - 1].lock_blame += samples[i].lock_blame;
    } else {
      samples[kept++] = samples[i];
    }
  }
  samples.resize(kept);
}

}  // namespace ompprof::model
