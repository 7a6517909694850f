#include "runtime_shim/generations/early.h"

#include <string.h>

#include "runtime_shim/generations/early_events.h"
#include "runtime_shim/generations/early_inquiry.h"
#include "runtime_shim/generations/early_values.h"

// Placeholders. A tool shows their names in its call paths, in place of the runtime's frames. Nobody calls them.
extern "C" {
void ompt_idle() {}
void ompt_overhead() {}
void ompt_barrier_wait() {}
void ompt_task_wait() {}
void ompt_mutex_wait() {}
}

namespace gomp_ompt {
namespace early {
namespace {

using InitializeTr2 = int (*)(ompt_function_lookup_t lookup, const char* runtime_version, unsigned ompt_version);
using InitializeDraft = void (*)(ompt_function_lookup_t lookup, const char* runtime_version, unsigned ompt_version);

// "The version of OMPT described by this document" (spec 003 and 004).
constexpr unsigned kVersionOfTr2 = 1;
constexpr unsigned kVersionOfDraft = 2;

InitializeTr2 initialize_tr2;
InitializeDraft initialize_draft;
const char* runtime_version;

ompt_interface_fn_t Lookup(const char* name) {
  static const struct {
    const char* name;
    ompt_interface_fn_t function;
  } kEntries[] = {
#define ENTRY(name, function) {name, reinterpret_cast<ompt_interface_fn_t>(function)}
      ENTRY("ompt_set_callback", SetCallback),
      ENTRY("ompt_get_callback", GetCallback),
      ENTRY("ompt_enumerate_state", EnumerateState),
      ENTRY("ompt_get_thread_id", GetThreadId),
      ENTRY("ompt_get_state", GetState),
      ENTRY("ompt_get_idle_frame", GetIdleFrame),
      ENTRY("ompt_get_parallel_id", GetParallelId),
      ENTRY("ompt_get_parallel_team_size", GetParallelTeamSize),
      ENTRY("ompt_get_task_id", GetTaskId),
      ENTRY("ompt_get_task_frame", GetTaskFrame),
      ENTRY("ompt_idle", ompt_idle),
      ENTRY("ompt_overhead", ompt_overhead),
      ENTRY("ompt_barrier_wait", ompt_barrier_wait),
      ENTRY("ompt_task_wait", ompt_task_wait),
      ENTRY("ompt_mutex_wait", ompt_mutex_wait),
#undef ENTRY
  };
  for (const auto& entry : kEntries)
    if (strcmp(entry.name, name) == 0) return entry.function;
  return nullptr;
}

void Bind(ompt_function_lookup_t lookup, Reenter reenter) {
  BindInquiry(lookup, reenter);
  BindEvents(reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback")));
}

int BeginTr2(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  Bind(lookup, Reenter::kOfRuntime);
  return initialize_tr2(Lookup, runtime_version, kVersionOfTr2) == 1;
}

// The draft's initializer has no result: a tool declines before.
int BeginDraft(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  Bind(lookup, Reenter::kOfUser);
  initialize_draft(Lookup, runtime_version, kVersionOfDraft);
  return 1;
}

void End(ompt_data_t*) { TellShutdown(); }

ompt_start_tool_result_t front_of_tr2 = {BeginTr2, End, {0}};
ompt_start_tool_result_t front_of_draft = {BeginDraft, End, {0}};

}  // namespace
}  // namespace early

ompt_start_tool_result_t* StartTr2Tool(void* initialize, const RuntimeName& runtime) {
  early::initialize_tr2 = reinterpret_cast<early::InitializeTr2>(initialize);
  early::runtime_version = runtime.text;
  return &early::front_of_tr2;
}

ompt_start_tool_result_t* StartDraftTool(void* tool, const RuntimeName& runtime) {
  early::initialize_draft = reinterpret_cast<early::InitializeDraft (*)()>(tool)();
  early::runtime_version = runtime.text;
  return early::initialize_draft != nullptr ? &early::front_of_draft : nullptr;
}

}  // namespace gomp_ompt
