// Gives each distinct key a number, from 1 in the order of appearance. The unified program numbers its nodes, rows and
// places with it, and the pieces of time their entries. A lookup is O(1): one probe of a table that is at most half
// full.
#ifndef OMPPROF_PROFILER_MODEL_NUMBERING_H_
#define OMPPROF_PROFILER_MODEL_NUMBERING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ompprof::model {

// Mixes `word` into `hash`. The result depends on the values only, so it is equal in all processes.
inline uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

template <size_t kWords>
class Numbering {
 public:
  using Key = std::array<uint64_t, kWords>;

  uint32_t Of(const Key& key) {
    if (keys_.size() * 2 >= slots_.size()) Grow();
    size_t slot = Slot(key);
    while (slots_[slot] != 0) {
      if (keys_[slots_[slot] - 1] == key) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    keys_.push_back(key);
    return slots_[slot] = size();
  }

  uint32_t size() const { return static_cast<uint32_t>(keys_.size()); }
  const Key& operator[](uint32_t number) const { return keys_[number - 1]; }

 private:
  size_t Slot(const Key& key) const {
    uint64_t hash = 0;
    for (const uint64_t word : key) hash = Mix(hash, word);
    return hash & (slots_.size() - 1);
  }

  void Grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    for (uint32_t number = 1; number <= size(); ++number) {
      size_t slot = Slot(keys_[number - 1]);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  std::vector<Key> keys_;
  std::vector<uint32_t> slots_;  // open addressing; 0: free
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_NUMBERING_H_
