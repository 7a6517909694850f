// Stacks of a chosen depth, and code that runs on top of them or in a signal handler that interrupted them. A profiler
// does its work in such places. The benchmarks of this folder call these functions.
#ifndef OMPPROF_TESTS_BENCH_DEEP_STACK_H_
#define OMPPROF_TESTS_BENCH_DEEP_STACK_H_

#include <stdint.h>
#include <ucontext.h>

#include <functional>

#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::bench {

// The descents of the functions below, a frame each. Each frame's function and size differ, so that each has an unwind
// rule of its own.
inline constexpr int kDescents[] = {1, 12, 22, 25, 121};

// Runs `job` on top of a stack with `descents` + 1 frames more.
void AtDepth(int descents, const std::function<void()>& job);

// Runs `job` in a signal handler (SIGUSR1) that interrupted such a stack.
void InHandlerAt(int descents, const std::function<void(ucontext_t*)>& job);

// The number of nops behind the interrupted instruction, and behind each of the stack's calls. A program counter may
// move by less than this number and stays in its function, with its unwind rule.
inline constexpr int kLeafRoom = 64;
inline constexpr int kCallRoom = 8;

// Runs `job` in a thread of its own, whose stack is otherwise empty, and waits for it.
void OnNewThread(const std::function<void()>& job);

// The calling thread's stack.
collect::StackBounds BoundsOfThisThread();

uint64_t NowNs();
// The calling thread's CPU time: a loop's own time, whatever else ran. A system call.
uint64_t CpuNs();

// Writes 24 MB. The code that runs next then finds its stack, tables and instructions in memory, as a sample does that
// is taken every millisecond.
void EvictCaches();

}  // namespace ompprof::bench

#endif  // OMPPROF_TESTS_BENCH_DEEP_STACK_H_
