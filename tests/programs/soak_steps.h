// The steps of the soak program. soak.cc runs them in random order.
//
// Each step takes a seed and returns a number that depends on the seed alone. The number sums what threads computed,
// handlers and cleanups that ran, and exit statuses of children.
#ifndef OMPPROF_TESTS_SOAK_SOAK_STEPS_H_
#define OMPPROF_TESTS_SOAK_SOAK_STEPS_H_

#include <stdint.h>

namespace soak {

// splitmix64 (Steele, Lea, Flood 2014).
inline uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return state_ = Mix(state_); }
  uint32_t Below(uint64_t limit) { return static_cast<uint32_t>(Next() % limit); }
  int From(int low, int high) { return low + static_cast<int>(Below(static_cast<uint64_t>(high - low + 1))); }

 private:
  uint64_t state_;
};

extern const char* library_path;

// Pure computation: a thousand iterations take some microseconds.
uint64_t Work(uint64_t seed, int iterations);

// soak_openmp.cc
uint64_t Region(uint64_t seed);
uint64_t Nested(uint64_t seed);
uint64_t Tasks(uint64_t seed);
uint64_t TaskLoop(uint64_t seed);
uint64_t Depend(uint64_t seed);
uint64_t Locks(uint64_t seed);
uint64_t Ordered(uint64_t seed);
uint64_t Single(uint64_t seed);
uint64_t CancelFor(uint64_t seed);

// soak_threads.cc
uint64_t Threads(uint64_t seed);
uint64_t Detach(uint64_t seed);
uint64_t Killed(uint64_t seed);
uint64_t Throw(uint64_t seed);
uint64_t Jump(uint64_t seed);
uint64_t Deep(uint64_t seed);

// soak_process.cc
void BlockTimer();  // called once before the steps: threads inherit it
uint64_t Fork(uint64_t seed);
uint64_t ForkInRegion(uint64_t seed);
uint64_t Spawn(uint64_t seed);
uint64_t Raise(uint64_t seed);
uint64_t Timer(uint64_t seed);
uint64_t Masked(uint64_t seed);
uint64_t Library(uint64_t seed);
uint64_t Sleeps(uint64_t seed);
uint64_t Handlers(uint64_t seed);

}  // namespace soak

#endif  // OMPPROF_TESTS_SOAK_SOAK_STEPS_H_
