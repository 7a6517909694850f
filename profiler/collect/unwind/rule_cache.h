// The unwind rules that a thread has met, by code address.
#ifndef OMPPROF_PROFILER_COLLECT_UNWIND_RULE_CACHE_H_
#define OMPPROF_PROFILER_COLLECT_UNWIND_RULE_CACHE_H_

#include <stdint.h>
#include <string.h>

#include "profiler/collect/arch/unwind_rule.h"

namespace ompprof::collect {

// Two-way set-associative, 2,048 entries, 32 KiB: a thread's hot stacks hold some hundred distinct return addresses,
// and a miss costs less than a microsecond. Zeroed memory is a valid empty cache.
//
// A cache belongs to one thread. But a walk in the handler can interrupt a walk outside it, at any instruction. So an
// entry is written with one store, and a reader checks the key on both sides of the rule. Async-signal-safe.
class RuleCache {
 public:
  // Empties the cache if it was filled under another generation. Call it at the start of each walk.
  void Sync(uint32_t generation) {
    if (__builtin_expect(generation_ == generation, 1)) return;
    memset(sets_, 0, sizeof(sets_));
    generation_ = generation;
  }

  // `key` is the looked-up address, never 0.
  __attribute__((always_inline)) bool Find(uintptr_t key, UnwindRule* rule) const {
    const Set& set = sets_[Index(key)];
    return Match(set.way[0], key, rule) || Match(set.way[1], key, rule);
  }

  // Replaces the older entry of the set. `generation` is the generation under which the rule was found. If the cache
  // has another by now, nothing happens.
  void Insert(uintptr_t key, UnwindRule rule, uint32_t generation) {
    if (generation_ != generation) return;
    Set& set = sets_[Index(key)];
    Pair pair = {key, 0};
    uint64_t packed;
    memcpy(&packed, &rule, sizeof(packed));
    pair[1] = packed;
    const Pair newer = set.way[0].pair;
    set.way[1].pair = newer;
    set.way[0].pair = pair;
    ++misses_;
  }

  // The number of rules that were looked up the slow way. For tests and statistics.
  uint64_t misses() const { return misses_; }

  static constexpr unsigned kSets = 1024;

 private:
  typedef uint64_t __attribute__((vector_size(16))) Pair;  // key, rule

  union Entry {
    volatile Pair pair;
    volatile uint64_t word[2];
  };
  struct Set {
    Entry way[2];
  };

  static unsigned Index(uintptr_t key) {
    // Fibonacci hashing: return addresses differ in their low bits and, between objects, in their middle bits.
    constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    return static_cast<unsigned>((key * kGoldenRatio) >> (64 - 10));
  }
  static_assert(kSets == 1u << 10);

  static __attribute__((always_inline)) bool Match(const Entry& entry, uintptr_t key, UnwindRule* rule) {
    if (entry.word[0] != key) return false;
    const uint64_t packed = entry.word[1];
    if (entry.word[0] != key) return false;
    memcpy(rule, &packed, sizeof(*rule));
    return true;
  }

  uint32_t generation_;
  uint64_t misses_;
  alignas(64) Set sets_[kSets];
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_UNWIND_RULE_CACHE_H_
