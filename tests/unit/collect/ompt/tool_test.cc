// A runtime that offers less than Table 4.1: the tool takes what there is.
#include "profiler/collect/ompt/tool.h"

#include <gtest/gtest.h>
#include <omp-tools.h>
#include <string.h>

#include <memory>
#include <string>

#include "profiler/collect/ompt/callbacks.h"
#include "profiler/collect/ompt/entry_points.h"
#include "profiler/collect/ompt/task_view.h"
#include "profiler/collect/session.h"

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned int omp_version, const char* runtime_version);

namespace ompprof::collect {
namespace {

ompt_set_result_t SetCallback(ompt_callbacks_t event, ompt_callback_t) {
  return event <= ompt_callback_implicit_task ? ompt_set_always : ompt_set_never;
}

ompt_interface_fn_t Lookup(const char* name) {
  return strcmp(name, "ompt_set_callback") == 0 ? reinterpret_cast<ompt_interface_fn_t>(SetCallback) : nullptr;
}

TEST(Tool, ARuntimeWithNothingButSetCallback) {
  EXPECT_EQ(ompt_start_tool(201811, "before the session"), nullptr) << "no session, no tool";
  session.active.store(true);
  ompt_start_tool_result_t* result = ompt_start_tool(201811, "a small runtime");
  ASSERT_NE(result, nullptr);
  ASSERT_EQ(result->initialize(Lookup, 0, &result->tool_data), 1);
  ASSERT_NE(Facts(0), nullptr);
  EXPECT_STREQ(Facts(0)->version, "a small runtime");
  EXPECT_EQ(Facts(0)->missing_count, 18u) << "of the 19 entry points";
  EXPECT_EQ(Facts(0)->state_count, 0u);
  const CallbackRegistration* registrations = Registrations(0);
  for (uint32_t i = 0; i < kRegistrations; ++i) {
    const bool required = registrations[i].event <= ompt_callback_implicit_task;
    EXPECT_EQ(Facts(0)->callback_results[i], required ? ompt_set_always : ompt_set_never) << registrations[i].name;
  }
  // A thread that the runtime announced can be asked nothing: no state but undefined, no levels, nothing called through
  // NULL.
  auto thread = std::make_unique<ThreadState>();
  thread->known_to = 1;
  TaskView view;
  ReadTaskView(*thread, &view);
  EXPECT_EQ(view.state, static_cast<uint32_t>(ompt_state_undefined) + 1);
  EXPECT_EQ(view.count, 0u);
  EXPECT_EQ(view.region, 0u);
  result->finalize(&result->tool_data);
  EXPECT_EQ(ActiveEntryPoints(0), nullptr);
}

}  // namespace
}  // namespace ompprof::collect
