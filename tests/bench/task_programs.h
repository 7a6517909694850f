// Programs that are made of OpenMP tasks, with bodies of a fixed number of iterations: the work is the same however
// long it takes, so that times with and without a profiler are of equal work.
//
// For task_programs.cc, which runs one of them by its name. Each function here is called by one thread of a team, makes
// its tasks, waits for all of them, and returns what they found.
#ifndef OMPPROF_TESTS_BENCH_TASK_PROGRAMS_H_
#define OMPPROF_TESTS_BENCH_TASK_PROGRAMS_H_

#include <stdint.h>

namespace ompprof::bench {

// What a program's tasks found, all together.
struct Found {
  uint64_t sum = 0;     // of what the bodies computed, modulo 2^64: the same in whatever order they run
  uint64_t answer = 0;  // what the program is for, which is known without it: see each program
  uint64_t tasks = 0;   // created

  Found& operator+=(const Found& other) {
    sum += other.sum;
    answer += other.answer;
    tasks += other.tasks;
    return *this;
  }
};

// A task's body: `iterations` steps, each of which needs the one before, and of which no compiler makes fewer: steps
// without the shift would be folded into one. No iterations give `seed` back.
inline uint64_t Spin(uint64_t seed, int64_t iterations) {
  for (int64_t i = 0; i < iterations; i++) seed = (seed ^ (seed >> 29)) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
  return seed;
}

// Trees of `nodes` nodes, a task for each but the root, each of which waits for its children. The answer: nodes
// visited. Unbalanced: up to four children, the first of which has most of what is below. Shallow: 32 children a node,
// and two levels below the root for up to 1,057 nodes. Deep: a chain, so that `nodes` - 1 taskwaits lie within each
// other.
Found SearchUnbalanced(int nodes, int64_t body);
Found SearchShallow(int nodes, int64_t body);
Found SearchDeep(int nodes, int64_t body);

// The `n`th Fibonacci number, by a task for each call. The answer: the number.
Found Fibonacci(int n, int64_t body);

// The ways to put `n` queens on a board, n up to 16, by a task for each queen put. The answer: how many there are.
Found Queens(int n, int64_t body);

// LU decomposition of a matrix of `n` by `n` blocks by untied tasks, in four waves a step. A block is one number modulo
// a prime. The answer: how many entries of L times U are those of the matrix, n * n if it is right.
Found BlockedLu(int n, int64_t body);

// Merge sort of `n` numbers, a task for each half down to 16 numbers. The answer: how many are where they belong, n.
Found Sort(int n, int64_t body);

// `items` through eight stages by dependences: an item enters a stage after it left the one before, and after the item
// before it left this one. The answer: how many tasks ran in that order, 8 * items.
Found Pipeline(int items, int64_t body);

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_TASK_PROGRAMS_H_
