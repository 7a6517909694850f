#include "profiler/collect/cct/tree.h"

#include "profiler/collect/base/os.h"

namespace ompprof::collect {
namespace {

uint32_t Hash(uint32_t parent, NodeKey key) {
  uint64_t mixed = (key ^ (static_cast<uint64_t>(parent) << 32 | parent)) * 0x9e3779b97f4a7c15ull;
  mixed ^= mixed >> 29;
  mixed *= 0xbf58476d1ce4e5b9ull;
  return static_cast<uint32_t>(mixed >> 32);
}

// With at most one node for each bucket, longer chains do not occur. The bound keeps the handler's loop finite in any
// case.
constexpr int kMaxChain = 256;

}  // namespace

void Tree::Init(uint32_t id) {
  id_ = id;
  buckets_ = 0;
  bucket_mask_ = 0;
  capacity_ = 0;
  size_.store(0, std::memory_order_relaxed);
}

bool Tree::AddChunk() {
  const uint32_t index = capacity_ / kChunkNodes;
  if (index == kMaxChunks) return false;
  auto* chunk = static_cast<Chunk*>(MapMemory(sizeof(Chunk)));
  if (chunk == nullptr) return false;
  chunks_[index].store(chunk, std::memory_order_release);
  capacity_ += kChunkNodes;
  return true;
}

uint32_t Tree::BucketOf(uint32_t hash) const {
  const uint32_t wide = hash & (bucket_mask_ * 2 + 1);
  return wide < buckets_ ? wide : hash & bucket_mask_;
}

// New memory is zero, and is written first all the same. To a page that is read first, the kernel maps its page of
// zeros. A write then makes it interrupt all processors on which the program runs (some 5 us).
void Tree::BeginBuckets() {
  buckets_ = 1;
  bucket(0) = 0;
}

// Puts bucket `buckets_` into use. It takes its share of the chain of the bucket from which it is split.
void Tree::SplitOneBucket() {
  const uint32_t added = buckets_;
  const uint32_t from = added & bucket_mask_;
  buckets_ = added + 1;
  if (buckets_ == (bucket_mask_ + 1) * 2) bucket_mask_ = bucket_mask_ * 2 + 1;
  uint32_t* kept = &bucket(from);
  uint32_t* moved = &bucket(added);
  *moved = 0;  // it is: see BeginBuckets
  uint32_t walk = *kept;
  for (int i = 0; walk != 0 && i < kMaxChain; ++i) {
    Node& node = mutable_node(walk);
    const uint32_t next = node.next;
    if (BucketOf(Hash(node.parent, node.key)) == added) {
      *kept = next;
      node.next = *moved;
      *moved = walk;
    } else {
      kept = &node.next;
    }
    walk = next;
  }
}

uint32_t Tree::Child(uint32_t parent, NodeKey key) {
  const uint32_t hash = Hash(parent, key);
  if (buckets_ != 0) {
    uint32_t walk = bucket(BucketOf(hash));
    for (int i = 0; walk != 0; ++i) {
      const Node& node = mutable_node(walk);
      if (node.key == key && node.parent == parent) return walk;
      if (i == kMaxChain) return 0;
      walk = node.next;
    }
  }
  const uint32_t number = size_.load(std::memory_order_relaxed) + 1;
  if (number >= capacity_ && !AddChunk()) return 0;
  if (buckets_ == 0) {
    BeginBuckets();
  } else {
    SplitOneBucket();
  }
  Node& node = mutable_node(number);
  uint32_t& head = bucket(BucketOf(hash));
  node.key = key;
  node.parent = parent;
  node.next = head;
  head = number;
  size_.store(number, std::memory_order_release);
  return number;
}

void Tree::Destroy() {
  const uint32_t chunks = capacity_ / kChunkNodes;
  for (uint32_t i = 0; i < chunks; ++i) {
    UnmapMemory(chunks_[i].load(std::memory_order_relaxed), sizeof(Chunk));
    chunks_[i].store(nullptr, std::memory_order_relaxed);
  }
  Init(id_);
}

}  // namespace ompprof::collect
