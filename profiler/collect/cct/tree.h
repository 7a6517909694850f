// A calling-context tree: each node is a (parent, value, kind) and has a small number. The thread that owns the
// tree adds nodes, in its signal handler; the writer reads published nodes at the same time, without locks.
#ifndef OMPPROF_PROFILER_COLLECT_CCT_TREE_H_
#define OMPPROF_PROFILER_COLLECT_CCT_TREE_H_

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace ompprof::collect {

// The content of a node: an address or another value (56 bits), and a NodeKind with NodeFlags (8 bits).
using NodeKey = uint64_t;

inline constexpr NodeKey MakeKey(uint64_t value, uint8_t kind) { return value << 8 | kind; }
inline constexpr uint64_t KeyValue(NodeKey key) { return key >> 8; }
inline constexpr uint8_t KeyKind(NodeKey key) { return static_cast<uint8_t>(key); }

struct Node {
  NodeKey key;
  uint32_t parent;
  uint32_t next;  // the next node in the same bucket. Changes when a bucket splits; only for the owner
};

// Nodes live in chunks of fixed size that never move. Each chunk also brings an equal number of hash buckets, and every
// insertion splits one bucket (linear hashing: Litwin, VLDB 1980). So growth costs the same small step each time, and
// the table is never rehashed as a whole. The handler maps a chunk itself, by one system call for each 2048 nodes. The
// writer cannot: beside other programs it may get no processor while a thread adds some thousands of nodes.
class Tree {
 public:
  static constexpr uint32_t kChunkNodes = 2048;
  static constexpr uint32_t kMaxChunks = 16384;  // 33.5 M nodes

  // `id` is the tree's number in the profile, from 1.
  void Init(uint32_t id);

  // The child of `parent` (0: a root) with `key`. A new node is made if there is none. 0 if memory or its budget is
  // exhausted. Async-signal-safe; for the owner only, never twice at a time.
  uint32_t Child(uint32_t parent, NodeKey key);

  uint32_t id() const { return id_; }

  // Nodes 1 .. size() are complete; their keys and parents never change. Any thread.
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  const Node& node(uint32_t number) const {
    return chunks_[number / kChunkNodes].load(std::memory_order_acquire)->nodes[number % kChunkNodes];
  }

  // Unmaps everything. No thread may use the tree any more.
  void Destroy();

 private:
  struct Chunk {
    Node nodes[kChunkNodes];
    uint32_t buckets[kChunkNodes];
  };

  bool AddChunk();
  uint32_t& bucket(uint32_t index) {
    return chunks_[index / kChunkNodes].load(std::memory_order_relaxed)->buckets[index % kChunkNodes];
  }
  Node& mutable_node(uint32_t number) {
    return chunks_[number / kChunkNodes].load(std::memory_order_relaxed)->nodes[number % kChunkNodes];
  }
  uint32_t BucketOf(uint32_t hash) const;
  void BeginBuckets();
  void SplitOneBucket();

  uint32_t id_ = 0;
  uint32_t buckets_ = 0;      // in use
  uint32_t bucket_mask_ = 0;  // 2^k - 1 with 2^k <= buckets_ < 2^(k+1)
  uint32_t capacity_ = 0;     // nodes that the chunks have room for, node 0 with them, which is none
  std::atomic<uint32_t> size_{0};
  std::atomic<Chunk*> chunks_[kMaxChunks];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_CCT_TREE_H_
