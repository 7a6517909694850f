// A program with an OMPT tool of its own. A runtime starts one tool: this one, if it is the first that is found.
//   truth count started N    times that the tool was started
//   own_tool [CPU_MS]        CPU time of the region
// The tool prints at its end what it heard. OWN_TOOL_DECLINES in the environment switches it off. TOOL_ONLY: a library
// with the tool alone. TOOL_ELSEWHERE: the program alone, which is linked with that library.
#include <stdio.h>
#include <stdlib.h>

#ifdef TOOL_ELSEWHERE
extern int started;
#else
#include <omp-tools.h>

#include <atomic>

int started;
static std::atomic<int> threads, regions, tasks;
static void OnThread(ompt_thread_t, ompt_data_t*) { ++threads; }
static void OnRegion(ompt_data_t*, const ompt_frame_t*, ompt_data_t*, unsigned, int, const void*) { ++regions; }
static void OnTask(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, unsigned, unsigned, int flags) {
  if (endpoint == ompt_scope_begin && (flags & ompt_task_implicit) != 0) ++tasks;
}

static int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  set(ompt_callback_thread_begin, reinterpret_cast<ompt_callback_t>(OnThread));
  set(ompt_callback_parallel_begin, reinterpret_cast<ompt_callback_t>(OnRegion));
  set(ompt_callback_implicit_task, reinterpret_cast<ompt_callback_t>(OnTask));
  return ++started;
}

static void Finalize(ompt_data_t*) {
  printf("the tool heard of %d threads, %d regions and %d implicit tasks\n", threads.load(), regions.load(),
         tasks.load());
}

extern "C" __attribute__((visibility("default"))) ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return getenv("OWN_TOOL_DECLINES") == nullptr ? &result : nullptr;
}
#endif

#ifndef TOOL_ONLY
#include "truth.h"

TRUTH_WORK(region_work)

int main(int argc, char** argv) {
  const uint64_t iterations = truth::Iterations(static_cast<double>(truth::Argument(argc, argv, 1, 300)) / 2);
#pragma omp parallel num_threads(2)
  region_work(iterations);
  printf("truth count started %d\n", started);
  truth::PrintProcess();
  return 0;
}
#endif
