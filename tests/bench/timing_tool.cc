// The least work of a tool that knows exactly how long threads wait for locks, and hold them. It reads the clock at
// each of the three events, and sums in each thread. It does not know which thread caused a wait. Its other callbacks
// do nothing.
#include <omp-tools.h>
#include <stdint.h>
#include <x86intrin.h>

namespace {

struct Times {
  uint64_t wanted;
  uint64_t taken;
  uint64_t waited;
  uint64_t held;
};

__attribute__((tls_model("initial-exec"))) thread_local Times times;

int Empty() { return 0; }

void Wanted(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t, const void*) { times.wanted = __rdtsc(); }

void Taken(ompt_mutex_t, ompt_wait_id_t, const void*) {
  times.taken = __rdtsc();
  times.waited += times.taken - times.wanted;
}

void Released(ompt_mutex_t, ompt_wait_id_t, const void*) { times.held += __rdtsc() - times.taken; }

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  for (int event = 1; event <= ompt_callback_error; event++)
    set_callback(static_cast<ompt_callbacks_t>(event), reinterpret_cast<ompt_callback_t>(Empty));
  set_callback(ompt_callback_mutex_acquire, reinterpret_cast<ompt_callback_t>(Wanted));
  set_callback(ompt_callback_mutex_acquired, reinterpret_cast<ompt_callback_t>(Taken));
  set_callback(ompt_callback_mutex_released, reinterpret_cast<ompt_callback_t>(Released));
  return 1;
}

void Finalize(ompt_data_t*) {}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return &result;
}
