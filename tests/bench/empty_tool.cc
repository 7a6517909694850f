// An OMPT tool that does nothing. With -DREGISTER_ALL it has a callback for each event, which does nothing either. With
// -DSLOW besides, each callback takes five microseconds.
#include <omp-tools.h>

#ifdef SLOW
#include <time.h>
#endif

namespace {

#ifdef REGISTER_ALL
// Every callback returns int or nothing and leaves its arguments alone, so one function serves for all.
int Empty() {
#ifdef SLOW
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
  };
  const long begin = now();
  while (now() < begin + 5000) {
  }
#endif
  return 0;
}
#endif

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
#ifdef REGISTER_ALL
  auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  for (int event = 1; event <= ompt_callback_error; event++)
    set_callback(static_cast<ompt_callbacks_t>(event), reinterpret_cast<ompt_callback_t>(Empty));
#else
  (void)lookup;
#endif
  return 1;
}

void Finalize(ompt_data_t*) {}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return &result;
}
