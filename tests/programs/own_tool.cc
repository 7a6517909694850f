// A program with an OMPT tool of its own. A runtime starts one tool: this one, which comes first.
//   truth count started N    times that the tool was started
//   own_tool [CPU_MS]        CPU time of the region
#include "truth.h"

TRUTH_WORK(region_work)

// The beginning of ompt_start_tool_result_t, OpenMP 5.1, 4.4.1.
struct StartResult {
  int (*initialize)(void* lookup, int device, uint64_t* tool_data);
  void (*finalize)(uint64_t* tool_data);
  uint64_t tool_data;
};

static int started;
static int Initialize(void*, int, uint64_t*) { return ++started; }
static void Finalize(uint64_t*) {}

extern "C" __attribute__((visibility("default"))) StartResult* ompt_start_tool(unsigned, const char*) {
  static StartResult result = {Initialize, Finalize, 0};
  return &result;
}

int main(int argc, char** argv) {
  const uint64_t iterations = truth::Iterations(static_cast<double>(truth::Argument(argc, argv, 1, 300)) / 2);
#pragma omp parallel num_threads(2)
  region_work(iterations);
  printf("truth count started %d\n", started);
  truth::PrintProcess();
  return 0;
}
