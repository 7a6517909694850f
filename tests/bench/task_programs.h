// Programs of OpenMP tasks whose bodies have a fixed number of iterations. However long a run takes, its work is the
// same, so times with and without a profiler are times of equal work.
//
// task_programs.cc runs one of them by its name. One thread of a team calls the function. The function makes the
// program's tasks, waits for all of them, and returns their results.
#ifndef OMPPROF_TESTS_BENCH_TASK_PROGRAMS_H_
#define OMPPROF_TESTS_BENCH_TASK_PROGRAMS_H_

#include <stdint.h>

namespace ompprof::bench {

// The results of all tasks of a program.
struct Found {
  uint64_t sum = 0;     // the bodies' results, modulo 2^64: the same in whatever order they run
  uint64_t answer = 0;  // the program's answer, which is known without the program: see each program
  uint64_t tasks = 0;   // created

  Found& operator+=(const Found& other) {
    sum += other.sum;
    answer += other.answer;
    tasks += other.tasks;
    return *this;
  }
};

// A task's body: `iterations` steps, each of which needs the step before. No compiler makes fewer steps: it would fold
// steps without the shift into one. With no iterations the result is `seed`.
inline uint64_t Spin(uint64_t seed, int64_t iterations) {
  for (int64_t i = 0; i < iterations; i++) seed = (seed ^ (seed >> 29)) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
  return seed;
}

// Trees of `nodes` nodes. Each node but the root has a task, which waits for the node's children. The answer: nodes
// visited. Unbalanced: up to four children, and the first has most of the nodes below. Shallow: 32 children a node, and
// two levels below the root for up to 1,057 nodes. Deep: a chain, so that `nodes` - 1 taskwaits lie within each other.
Found SearchUnbalanced(int nodes, int64_t body);
Found SearchShallow(int nodes, int64_t body);
Found SearchDeep(int nodes, int64_t body);

// The `n`th Fibonacci number, with a task for each call. The answer: the number.
Found Fibonacci(int n, int64_t body);

// The ways to put `n` queens on a board, n up to 16, with a task for each queen put. The answer: the number of ways.
Found Queens(int n, int64_t body);

// LU decomposition of a matrix of `n` by `n` blocks by untied tasks, in four waves a step. A block is one number modulo
// a prime. The answer: how many entries of L times U equal the matrix's entries, n * n if it is right.
Found BlockedLu(int n, int64_t body);

// Merge sort of `n` numbers, a task for each half down to 16 numbers. The answer: how many are where they belong, n.
Found Sort(int n, int64_t body);

// `items` pass through eight stages by dependences. An item enters a stage after it left the stage before, and after
// the item before it left this stage. The answer: how many tasks ran in that order, 8 * items.
Found Pipeline(int items, int64_t body);

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_TASK_PROGRAMS_H_
