#include "profiler/collect/sampling/stack_walk.h"

#include <string.h>

#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

// A walk to the root of a deep recursion costs about 10 ns a frame: this many at most in one sample.
constexpr uint32_t kMaxWalk = 65536;

// Task markers in a path beside its frames.
constexpr uint32_t kMarkerKeys = 160;

uint32_t RootLimit(uint32_t max_depth) { return max_depth / 4; }

#if defined(__x86_64__)
// The return address into frame k + 1 lies just below frame k's CFA.
bool ReturnsTo(const Frame& younger, const Frame& older) {
  return *reinterpret_cast<const uintptr_t*>(younger.cfa - sizeof(uintptr_t)) == older.pc;
}
#else
bool ReturnsTo(const Frame&, const Frame&) { return false; }
#endif

// `size` is root_limit at least.
void RememberRoot(PathBuffer* path, const Frame* frames, uint32_t size) {
  memcpy(path->known_root, frames + (size - path->root_limit), path->root_limit * sizeof(Frame));
  path->known_root_size = path->root_limit;
}

// Frames known_root[1..] are still on the stack: every return address is where it was. Frame 0 may be
// elsewhere in its function by now, so it is not used.
bool KnownRootHolds(const PathBuffer& path, uintptr_t sp) {
  if (path.known_root_size < 2 || path.known_root[0].cfa <= sp + sizeof(uintptr_t)) return false;
  // They may be of a coroutine's stack that is gone: each page is asked for once, about three in all.
  uintptr_t readable_page = 0;
  for (uint32_t i = 0; i + 1 < path.known_root_size; ++i) {
    const uintptr_t slot = path.known_root[i].cfa - sizeof(uintptr_t);
    uintptr_t word;
    if (slot % sizeof(uintptr_t) != 0) return false;
    if (slot >> 12 != readable_page && !SafeRead(slot, &word, sizeof(word))) return false;
    readable_page = slot >> 12;
    if (!path.known_root[i + 1].return_address || !ReturnsTo(path.known_root[i], path.known_root[i + 1])) return false;
  }
  return true;
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

StackParts WalkStack(ThreadState* thread, const Unwinder* unwinder, const ucontext_t* context) {
  PathBuffer* path = &thread->path;
  Cursor cursor;
  unwinder->start(thread->unwind_state, context, &cursor);
  const uint32_t capacity = path->leaf_limit + path->root_limit;
  StackParts parts{path->frames, 0, nullptr, 0, false, false, cursor.sp};
  WalkResult walked = unwinder->walk(thread->unwind_state, &cursor, path->frames, capacity);
  parts.leaf_size = walked.frames;
  if (walked.end != WalkEnd::kLimit) {
    parts.broken = walked.end == WalkEnd::kBroken;
    // Not of a shallow one: a thread's first frames hold for good, and a root of them alone is no whole one.
    if (!parts.broken && walked.frames > capacity / 2) RememberRoot(path, path->frames, walked.frames);
    return parts;
  }

  parts.leaf_size = path->leaf_limit;
  parts.cut = true;
  if (KnownRootHolds(*path, path->frames[capacity - 1].cfa)) {
    parts.root = path->known_root + 1;
    parts.root_size = path->known_root_size - 1;
    return parts;
  }
  // On to the root, keeping the last root_limit frames in two halves that take turns.
  Frame* older = path->root_ring;
  Frame* newer = path->frames + path->leaf_limit;
  uint32_t total = capacity;
  do {
    walked = unwinder->walk(thread->unwind_state, &cursor, older, path->root_limit);
    Frame* swap = older;
    older = newer;
    newer = swap;
    total += walked.frames;
  } while (walked.end == WalkEnd::kLimit && total < kMaxWalk);
  // `newer` holds the last walked.frames frames, `older` the root_limit before them.
  const uint32_t from_older = path->root_limit - walked.frames;
  memmove(path->known_root, older + walked.frames, from_older * sizeof(Frame));
  memcpy(path->known_root + from_older, newer, walked.frames * sizeof(Frame));
  parts.broken = walked.end != WalkEnd::kRoot;
  path->known_root_size = parts.broken ? 0 : path->root_limit;
  parts.root = path->known_root;
  parts.root_size = path->root_limit;
  return parts;
}

}  // namespace ompprof::collect
