#include "profiler/collect/paths/call_paths.h"

namespace ompprof::collect {
namespace {

// A path has room for this many task markers besides its frames.
constexpr uint32_t kMarkerKeys = 160;

// A quarter of the frames. A small --max-depth keeps enough at the root for libc's three frames, main, the function
// that creates a region, and the runtime's first frames.
uint32_t RootLimit(uint32_t max_depth) {
  constexpr uint32_t kLeast = 12;
  if (max_depth / 4 >= kLeast) return max_depth / 4;
  return max_depth / 2 < kLeast ? max_depth / 2 : kLeast;
}

}  // namespace

size_t PathBufferBytes(uint32_t max_depth) {
  const size_t keys = max_depth + kMarkerKeys;
  return sizeof(Frame) * (max_depth + 2 * RootLimit(max_depth)) + keys * (2 * sizeof(NodeKey) + sizeof(uint32_t));
}

void InitPathBuffer(PathBuffer* path, void* memory, uint32_t max_depth) {
  path->root_limit = RootLimit(max_depth);
  path->leaf_limit = max_depth - path->root_limit;
  path->key_limit = max_depth + kMarkerKeys;
  auto* frames = static_cast<Frame*>(memory);
  path->frames = frames;
  path->root_ring = frames + max_depth;
  path->known_root = path->root_ring + path->root_limit;
  auto* keys = reinterpret_cast<NodeKey*>(path->known_root + path->root_limit);
  path->keys = keys;
  path->last_keys = keys + path->key_limit;
  path->last_nodes = reinterpret_cast<uint32_t*>(path->last_keys + path->key_limit);
  path->last_size = 0;
  path->known_root_size = 0;
}

}  // namespace ompprof::collect
