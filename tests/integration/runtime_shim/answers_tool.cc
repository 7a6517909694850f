// A tool that prints what ompt_set_callback answers for each event, and the states that ompt_enumerate_states names.
#include <omp-tools.h>
#include <stdio.h>

namespace {

const char* Name(ompt_set_result_t answer) {
  switch (answer) {
    case ompt_set_error:
      return "error";
    case ompt_set_never:
      return "never";
    case ompt_set_impossible:
      return "impossible";
    case ompt_set_sometimes:
      return "sometimes";
    case ompt_set_sometimes_paired:
      return "sometimes_paired";
    case ompt_set_always:
      return "always";
  }
  return "?";
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  auto enumerate_states = reinterpret_cast<ompt_enumerate_states_t>(lookup("ompt_enumerate_states"));
#define PRINT_EVENT(event, type, number) printf("event %s %s\n", #event, Name(set_callback(event, nullptr)));
  FOREACH_OMPT_EVENT(PRINT_EVENT)
  int state = ompt_state_undefined;
  const char* name = "ompt_state_undefined";
  do printf("state %s\n", name);
  while (enumerate_states(state, &state, &name) != 0);
  return 1;
}

void Finalize(ompt_data_t*) {}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return &result;
}
