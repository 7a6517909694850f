// A program with an OpenMP runtime and OMPT linked into it, as compilers do when told to. Code of the runtime and of
// the program is in one object. The runtime is small and has one thread. It starts its tool, and runs the program's
// regions and barriers.
//   own_runtime [CPU_MS] [unknown]    unknown: the runtime speaks no known generation of OMPT
#include "small_runtime.h"

TRUTH_WORK(serial_work)
TRUTH_WORK(region_work)
TRUTH_WORK(runtime_work)

static truth::Account serial("path", "main;serial_part;serial_work"), region("path", "main;solve;region_work"),
    waiting("state", "wait_barrier_explicit");

namespace runtime {

static int GetState(ompt_wait_id_t* wait_id) {
  *wait_id = 0;
  return state;
}

static int GetTaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                       int* thread_num) {
  return TaskInfo(level, flags, task, frame, parallel, thread_num);
}

TRUTH_FUNCTION void barrier(double ms) {
  frames[0].enter_frame = FRAME();
  frames[0].enter_frame_flags = kRuntimesFrame;
  state = ompt_state_wait_barrier_explicit;
  {
    truth::Timed timed(waiting);
    runtime_work(truth::Iterations(ms));
  }
  state = ompt_state_work_parallel;
  frames[0].enter_frame = {};
}

}  // namespace runtime

TRUTH_FUNCTION void body(double ms) {
  {
    truth::Timed timed(region);
    region_work(truth::Iterations(ms * 0.5));
  }
  runtime::barrier(ms * 0.2);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void solve(double ms) {
  runtime::fork_call(body, ms);
  TRUTH_NO_TAIL_CALL();
}

TRUTH_FUNCTION void serial_part(double ms) {
  truth::Timed timed(serial);
  serial_work(truth::Iterations(ms * 0.3));
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 5000));
  runtime::Start("a runtime of the program's own", /*known=*/argc < 3);
  truth::Iterations(1);
  for (int round = 0; round < 4; round++) {
    solve(ms / 4);
    serial_part(ms / 4);
  }
  serial.Print();
  region.Print();
  waiting.Print();
  truth::PrintProcess();
  return 0;
}
