// A program that tells the tool when to record: phase_on is recorded, phase_off is not. Nothing after `end` is
// recorded.
//   control_tool [CPU_MS [c_api]]        c_api: through ompprof.h instead of omp_control_tool
#include "profiler/collect/ompprof.h"

#include <omp.h>

#include "truth.h"

TRUTH_WORK(phase_on)
TRUTH_WORK(phase_off)
TRUTH_WORK(phase_on_again)
TRUTH_WORK(phase_after_end)

static truth::Account on("function", "phase_on"), off("function", "phase_off"), again("function", "phase_on_again"),
    after("function", "phase_after_end");

static void Phase(truth::Account* account, uint64_t (*phase)(uint64_t), double ms) {
#pragma omp parallel
  {
    truth::Timed timed(*account);
    phase(truth::Iterations(ms / omp_get_num_threads()));
  }
}

static bool c_api;

// The returned values are part of the answer. omp_control_tool: 0 done, 1 ignored, -1 no callback, -2 no tool.
static void Control(const char* name, omp_control_tool_t command, int (*function)()) {
  printf("control %s %d\n", name, c_api ? function() : omp_control_tool(command, 0, nullptr));
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 2000)) / 4;
  c_api = argc > 2;
  Phase(&on, phase_on, ms);
  Control("pause", omp_control_tool_pause, ompprof_pause);
  Phase(&off, phase_off, ms);
  Control("start", omp_control_tool_start, ompprof_start);
  Phase(&again, phase_on_again, ms);
  Control("flush", omp_control_tool_flush, ompprof_flush);
  Control("end", omp_control_tool_end, ompprof_end);
  Phase(&after, phase_after_end, ms);
  on.Print();
  off.Print();
  again.Print();
  after.Print();
  truth::PrintProcess();
  return 0;
}
