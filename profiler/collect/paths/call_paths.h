// The place where a thread's call paths are made and kept: the walk's memory, the tree, and the ring of samples to the
// writer.
#ifndef OMPPROF_PROFILER_COLLECT_PATHS_CALL_PATHS_H_
#define OMPPROF_PROFILER_COLLECT_PATHS_CALL_PATHS_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "profiler/collect/cct/sample_ring.h"
#include "profiler/collect/cct/tree.h"
#include "profiler/collect/paths/mapping_changes.h"
#include "profiler/collect/unwind/unwinder.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

// Counters that the handler adds to and the writer reads. Each has one producer.
struct LostCounter {
  std::atomic<uint64_t> samples{0};
  std::atomic<uint64_t> weight{0};
  void Add(uint64_t more_samples, uint64_t more_weight) {
    samples.store(samples.load(std::memory_order_relaxed) + more_samples, std::memory_order_relaxed);
    weight.store(weight.load(std::memory_order_relaxed) + more_weight, std::memory_order_relaxed);
  }
};

// A tree, and the data that its threads share. Threads use a tree one after the other.
struct TreeSlot {
  uint32_t written;  // for the writer: nodes in the file
  bool left_behind;  // for the writer: the thread was discarded before all nodes were in the file
  Tree tree;         // a large table, whose beginning is used first
};

// The stack walk's working memory and the last sample's path. --max-depth gives their sizes.
struct PathBuffer {
  Frame* frames;        // leaf part (leaf first), then root part
  uint32_t leaf_limit;  // frames kept on the leaf side of a cut
  uint32_t root_limit;  // frames kept on the root side of a cut
  Frame* root_ring;     // root_limit entries
  Frame* known_root;    // the outermost frames of the last complete walk, younger first
  uint32_t known_root_size;
  ReadablePages readable;   // the proved pages of the thread's stack
  uint64_t readable_stamp;  // mapping_changes' stamp at that time (paths/mapping_changes.h); kUnknown: not known
  Cursor half_way;          // where a walk to the root stopped for lack of fuel; at.sp 0: no walk did
  NodeKey* keys;            // of the present sample, root first
  NodeKey* last_keys;       // the keys of the tree path in last_nodes
  uint32_t* last_nodes;
  uint32_t last_size;
  uint32_t key_limit;

  // Prepares the buffer for another stack.
  void Reset() {
    known_root_size = 0;
    half_way = {};
    readable_stamp = MappingChanges::kUnknown;
  }
};

// The size of a PathBuffer for `max_depth` frames in bytes, and its set-up in zeroed memory of this size.
size_t PathBufferBytes(uint32_t max_depth);
void InitPathBuffer(PathBuffer* path, void* memory, uint32_t max_depth);

struct CallPaths {
  TreeSlot* slot;
  SampleRing ring;
  void* unwind_state;
  PathBuffer buffer;
  Sample last_sample;
  LostCounter lost[fields::kLostReasonCount];

  // Prepares the paths for another thread, which continues the tree and the ring.
  void Reset() {
    buffer.Reset();
    last_sample = Sample();
    for (LostCounter& counter : lost) {
      counter.samples.store(0, std::memory_order_relaxed);
      counter.weight.store(0, std::memory_order_relaxed);
    }
  }
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PATHS_CALL_PATHS_H_
