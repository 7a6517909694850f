// The buckets of a histogram over the members of a job; see SpreadBatch.bucket. The unifier fills them, and the view
// reads them.
#ifndef OMPPROF_PROFILER_MODEL_FIGURE_BUCKET_H_
#define OMPPROF_PROFILER_MODEL_FIGURE_BUCKET_H_

#include <cstdint>

namespace ompprof::model {

// The bucket of a value.
inline uint32_t BucketOf(uint64_t value) {
  if (value == 0) return 0;
  const int power = 63 - __builtin_clzll(value);
  const uint64_t quarter = (power >= 2 ? value >> (power - 2) : value << (2 - power)) & 3;
  return static_cast<uint32_t>(power) * 4 + static_cast<uint32_t>(quarter) + 1;
}

// The least value of a bucket; the largest number for a bucket that no value has.
inline uint64_t BucketBegin(uint32_t bucket) {
  if (bucket == 0) return 0;
  const uint32_t power = (bucket - 1) / 4;
  const uint64_t quarters = 4 + (bucket - 1) % 4;
  if (power > 63) return UINT64_MAX;
  return power >= 2 ? quarters << (power - 2) : quarters >> (2 - power);
}

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_FIGURE_BUCKET_H_
