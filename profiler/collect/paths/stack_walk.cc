#include "profiler/collect/paths/stack_walk.h"

#include <string.h>

#include "profiler/collect/arch/unwind_rule.h"
#include "profiler/collect/paths/mapping_changes.h"
#include "profiler/collect/unwind/caller_guess.h"
#include "profiler/collect/unwind/readable_pages.h"
#include "profiler/collect/unwind/safe_read.h"

namespace ompprof::collect {
namespace {

// Whether the frame that ends at `cfa` still returns to `pc`.
bool ReturnsTo(uintptr_t cfa, uintptr_t pc, Cursor* cursor) {
  return arch::ReturnsTo(cfa, pc, &cursor->readable, cursor->fuel);
}

// `size` is at least root_limit.
void RememberRoot(PathBuffer* path, const Frame* frames, uint32_t size) {
  memcpy(path->known_root, frames + (size - path->root_limit), path->root_limit * sizeof(Frame));
  path->known_root_size = path->root_limit;
}

// Whether the frames known_root[1..] are still on the stack: every return address is in its old place. Frame 0 may be
// elsewhere in its function by now, so it is not used.
bool KnownRootHolds(const PathBuffer& path, uintptr_t sp, Cursor* cursor) {
  if (path.known_root_size < 2 || path.known_root[0].cfa <= sp + sizeof(uintptr_t)) return false;
  for (uint32_t i = 0; i + 1 < path.known_root_size; ++i) {
    const Frame& older = path.known_root[i + 1];
    if (!older.return_address || !ReturnsTo(path.known_root[i].cfa, older.pc, cursor)) return false;
  }
  return true;
}

// An earlier sample's walk to the root may have stopped half-way. Returns whether the stack there is unchanged: the
// same return address stands below the same frame. False also if that place is nearer than the end of this sample's
// walk.
bool HalfWayHolds(const PathBuffer& path, Cursor* cursor) {
  const Cursor& half_way = path.half_way;
  return half_way.at.sp > cursor->at.sp && half_way.at.return_address &&
         ReturnsTo(half_way.at.sp, half_way.at.pc, cursor);
}

// Walks on to the root, and keeps the last root_limit frames in two halves that take turns. `cursor` stands behind
// `capacity` frames.
void WalkToRoot(ThreadState* thread, const Unwinder* unwinder, Cursor cursor, uint32_t capacity, StackParts* parts) {
  PathBuffer* path = &thread->paths.buffer;
  Fuel* fuel = cursor.fuel;
  const bool resumed = HalfWayHolds(*path, &cursor);
  uint32_t total = capacity;
  if (resumed) {
    const ReadablePages readable = cursor.readable;
    cursor = path->half_way;
    cursor.fuel = fuel;
    cursor.readable = readable;
    cursor.start = nullptr;  // the registers at that walk's start are gone
    total = 0;
  }
  path->half_way.at.sp = 0;
  Frame* older = path->root_ring;
  Frame* newer = path->frames + path->leaf_limit;
  Cursor before = cursor;  // the beginning of the previous whole half; `now`: the beginning of this half
  Cursor now = cursor;
  WalkResult walked;
  do {
    before = now;
    now = cursor;
    walked = unwinder->walk(thread->paths.unwind_state, &cursor, older, path->root_limit);
    Frame* swap = older;
    older = newer;
    newer = swap;
    total += walked.frames;
  } while (walked.end == WalkEnd::kLimit);
  // `newer` holds the last walked.frames frames. `older` holds the root_limit frames before them, if that many were
  // walked.
  const uint32_t known = total < path->root_limit ? total : path->root_limit;
  const uint32_t from_older = known - walked.frames;
  memmove(path->known_root, older + (path->root_limit - from_older), from_older * sizeof(Frame));
  memcpy(path->known_root + from_older, newer, walked.frames * sizeof(Frame));
  parts->broken = walked.end != WalkEnd::kRoot;
  parts->starved = walked.end == WalkEnd::kNoFuel;
  path->known_root_size = parts->broken ? 0 : known;
  parts->root = path->known_root;
  parts->root_size = known;
  // The next walk begins half a ring earlier, so that it finds a whole root.
  if (walked.end == WalkEnd::kNoFuel) path->half_way = before;
}

// Goes on from the frame that keeps its frame pointer at `frame_pointer`, if that is a frame. `parts` has the frames up
// to the place where the walk stopped.
void Resume(ThreadState* thread, const Unwinder* unwinder, uintptr_t frame_pointer, Cursor cursor, StackParts* parts) {
  PathBuffer* path = &thread->paths.buffer;
  const uint32_t left = path->leaf_limit + path->root_limit - parts->leaf_size;
  if (parts->leaf_size == 0 || left == 0 || frame_pointer < path->frames[parts->leaf_size - 1].cfa) return;
  uintptr_t words[2];  // the caller's frame pointer, and the return address
  if (!cursor.fuel->Take(Cut::kTables, Fuel::kRead) || !SafeRead(frame_pointer, words, sizeof(words)) ||
      !FollowsCallInstruction(words[1]))
    return;
  cursor.at = {words[1], frame_pointer + sizeof(words), words[0], /*return_address=*/true};
  cursor.start = nullptr;  // no other register is known there
  Frame* const root = path->frames + parts->leaf_size;
  const WalkResult walked = unwinder->walk(thread->paths.unwind_state, &cursor, root, left);
  if (walked.frames == 0 || (walked.end != WalkEnd::kRoot && walked.end != WalkEnd::kBroken)) return;
  parts->root = root;
  parts->root_size = walked.frames;
  parts->cut = parts->resumed = true;
  parts->broken = walked.end != WalkEnd::kRoot;
}

}  // namespace

StackParts WalkStack(ThreadState* thread, const Unwinder* unwinder, const ucontext_t* context, uintptr_t known,
                     uintptr_t task_caller) {
  PathBuffer* path = &thread->paths.buffer;
  Cursor cursor;
  unwinder->start(thread->paths.unwind_state, context, &cursor);
  cursor.fuel = &thread->sampler.limits.fuel;
  // Proofs of an earlier sample still hold if no mapping has changed.
  const uint64_t mappings = mapping_changes.Stamp();
  if (mappings != MappingChanges::kUnknown && mappings == path->readable_stamp) cursor.readable = path->readable;
  cursor.readable.Know(known);
  const uint32_t capacity = path->leaf_limit + path->root_limit;
  StackParts parts{path->frames,  /*leaf_size=*/0,  /*root=*/nullptr, /*root_size=*/0,
                   /*cut=*/false, /*broken=*/false, cursor.at.sp};
  WalkResult walked = unwinder->walk(thread->paths.unwind_state, &cursor, path->frames, capacity);
  path->readable = cursor.readable;
  path->readable_stamp = mappings;
  parts.leaf_size = walked.frames;
  if (walked.end != WalkEnd::kLimit) {
    parts.broken = walked.end != WalkEnd::kRoot;
    parts.starved = walked.end == WalkEnd::kNoFuel;
    // A shallow walk is not kept: a thread's first frames always hold, and these frames alone are not a whole root.
    if (!parts.broken && walked.frames > capacity / 2) RememberRoot(path, path->frames, walked.frames);
    if (walked.end == WalkEnd::kBroken && task_caller != 0) Resume(thread, unwinder, task_caller, cursor, &parts);
    return parts;
  }

  parts.leaf_size = path->leaf_limit;
  parts.cut = true;
  if (KnownRootHolds(*path, path->frames[capacity - 1].cfa, &cursor)) {
    parts.root = path->known_root + 1;
    parts.root_size = path->known_root_size - 1;
    return parts;
  }
  WalkToRoot(thread, unwinder, cursor, capacity, &parts);
  return parts;
}

}  // namespace ompprof::collect
