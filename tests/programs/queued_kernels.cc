// The events of LLVM's offloading runtime with a GPU, by a small runtime of the program's own. A launch only queues its
// kernel. The runtime waits before the construct ends, or in the copy of a result.
//   truth count launches N    of each construct
//   truth wall kept N         wall time in which the runtime waited for the kernels of `kept`, asleep
//   truth wall copied N       likewise in the copies of `copied`, awake
//   queued_kernels [LAUNCHES]
#include "small_runtime.h"

constexpr int kDevice = 0, kKernelMs = 3;

static uint64_t Now() { return truth::ClockNs(CLOCK_MONOTONIC); }

namespace runtime {

static int GetState(ompt_wait_id_t* wait_id) {
  *wait_id = 0;
  return state;
}

static int GetTaskInfo(int level, int* flags, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                       int* thread_num) {
  return TaskInfo(level, flags, task, frame, parallel, thread_num);
}

static uint64_t Wait(bool asleep) {
  const uint64_t begin = Now(), end = begin + kKernelMs * 1000000;
  while (Now() < end) {
    const timespec some = {0, static_cast<long>(end - Now())};
    if (asleep) nanosleep(&some, nullptr);
  }
  return Now() - begin;
}

// Returns for how long it waited.
TRUTH_FUNCTION uint64_t target_kernel(bool with_copy) {
  const void* code = __builtin_return_address(0);
  ompt_data_t construct = {};
  ompt_id_t operation = 0;
  if (target == nullptr) return 0;
  target(ompt_target, ompt_scope_begin, kDevice, &task_data[1], nullptr, &construct, code);
  target_submit(ompt_scope_begin, &construct, &operation, 1);
  target_submit(ompt_scope_end, &construct, &operation, 1);
  uint64_t waited = 0;
  if (with_copy) {
    double result;
    const auto copy = [&](ompt_scope_endpoint_t endpoint) {
      target_data_op(endpoint, nullptr, &construct, &operation, ompt_target_data_transfer_from_device, &result, kDevice,
                     &result, kDevice + 1, sizeof result, code);
    };
    copy(ompt_scope_begin);
    waited = Wait(false);
    copy(ompt_scope_end);
  } else {
    waited = Wait(true);
  }
  target(ompt_target, ompt_scope_end, kDevice, &task_data[1], nullptr, &construct, code);
  return waited;
}

}  // namespace runtime

TRUTH_FUNCTION uint64_t kept() {
  const uint64_t waited = runtime::target_kernel(false);
  TRUTH_NO_TAIL_CALL();
  return waited;
}

TRUTH_FUNCTION uint64_t copied() {
  const uint64_t waited = runtime::target_kernel(true);
  TRUTH_NO_TAIL_CALL();
  return waited;
}

int main(int argc, char** argv) {
  const auto launches = static_cast<int>(truth::Argument(argc, argv, 1, 50));
  runtime::Start("a runtime with a GPU");
  if (runtime::device_initialize != nullptr) runtime::device_initialize(kDevice, "sm_90", nullptr, nullptr, nullptr);
  uint64_t kept_ns = 0, copied_ns = 0;
  for (int launch = 0; launch < launches; launch++) {
    kept_ns += kept();
    copied_ns += copied();
  }
  printf("truth count launches %d\n", launches);
  printf("truth wall kept wall_ns %llu\n", static_cast<unsigned long long>(kept_ns));
  printf("truth wall copied wall_ns %llu\n", static_cast<unsigned long long>(copied_ns));
  truth::PrintProcess();
  return 0;
}
