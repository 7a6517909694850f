// The recording tool: ompt_start_tool, and functions that conformance.c calls on behalf of the program.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace recorder {

char file_suffix[256];

namespace {

unsigned fork_count = 0;
bool written = false;

template <class Function>
void Find(Function& function, ompt_function_lookup_t lookup, const char* name) {
  function = reinterpret_cast<Function>(lookup(name));
}

// Writes the mark's own line, then a line for each level that get_task_info and get_parallel_info know.
const Kind kMark = {"mark", {{"name", Form::kText}, {"sp", Form::kAddress}, {"data", Form::kThread}}};
const Kind kTaskInfo = {"task_info",
                        {{"name", Form::kText},
                         {"level", Form::kNumber},
                         {"result", Form::kNumber},
                         {"flags", Form::kTaskFlags},
                         {"task", Form::kTask},
                         {"parallel", Form::kParallel},
                         {"index", Form::kSigned},
                         {"exit", Form::kAddress},
                         {"exit_flags", Form::kFrameFlags},
                         {"enter", Form::kAddress},
                         {"enter_flags", Form::kFrameFlags}}};
const Kind kParallelInfo = {"parallel_info",
                            {{"name", Form::kText},
                             {"level", Form::kNumber},
                             {"result", Form::kNumber},
                             {"parallel", Form::kParallel},
                             {"team_size", Form::kSigned}}};

// Async-signal-safe: it calls safe entry points only.
void Mark(const char* name, const void* stack_pointer) {
  const uint64_t text = Address(name);
  Note(&kMark, text, Address(stack_pointer), Id(entries.get_thread_data()));
  for (int level = 0; level < 32; level++) {
    int flags = 0, index = -1;
    ompt_data_t *task = nullptr, *parallel = nullptr;
    ompt_frame_t* frame = nullptr;
    const int result = entries.get_task_info(level, &flags, &task, &frame, &parallel, &index);
    if (result == 0) break;
    const ompt_frame_t none = {};
    if (frame == nullptr) frame = const_cast<ompt_frame_t*>(&none);
    Note(&kTaskInfo, text, level, result, flags, Id(task), Id(parallel), index, frame->exit_frame.value,
         frame->exit_frame_flags, frame->enter_frame.value, frame->enter_frame_flags);
  }
  for (int level = 0; level < 32; level++) {
    ompt_data_t* parallel = nullptr;
    int team_size = -1;
    const int result = entries.get_parallel_info(level, &parallel, &team_size);
    if (result == 0) break;
    Note(&kParallelInfo, text, level, result, Id(parallel), team_size);
  }
}

const char* probe_name;
volatile unsigned probe_number = 0;

void OnProbe(int) {
  Mark(probe_name, __builtin_frame_address(0));
  Log()->probed = probe_number;
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  Find(entries.get_state, lookup, "ompt_get_state");
  Find(entries.get_task_info, lookup, "ompt_get_task_info");
  Find(entries.get_parallel_info, lookup, "ompt_get_parallel_info");
  Find(entries.get_thread_data, lookup, "ompt_get_thread_data");
  Find(entries.set_callback, lookup, "ompt_set_callback");
  RegisterCallbacks();
  struct sigaction action = {};
  action.sa_handler = OnProbe;
  action.sa_flags = SA_RESTART;
  sigaction(SIGRTMAX - 3, &action, nullptr);
  return 1;
}

const Kind kFinalize = {"finalize", {}};

void Finalize(ompt_data_t*) {
  Note(&kFinalize);
  written = true;
  WriteFile();
}

void BeforeFork() { fork_count++; }

void InChild() {
  const size_t length = strlen(file_suffix);
  snprintf(file_suffix + length, sizeof(file_suffix) - length, ".fork%u", fork_count);
  fork_count = 0;
  written = false;
  ForgetRecords();
}

__attribute__((destructor)) void AtUnload() {
  // Without the finalizer the line `finalize` is missing from the file. Later events stand behind that line.
  WriteFile();
}

}  // namespace
}  // namespace recorder

EXPORTED ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {recorder::Initialize, recorder::Finalize, {0}};
  static bool registered = false;
  if (!registered) pthread_atfork(recorder::BeforeFork, nullptr, recorder::InChild);
  registered = true;
  return &result;
}

EXPORTED void recorder_mark(const char* name, const void* stack_pointer) {
  if (recorder::entries.get_state != nullptr) recorder::Mark(name, stack_pointer);
}

EXPORTED void recorder_note(const char* name, uint64_t value) {
  static const recorder::Kind kNote = {"note", {{"name", recorder::Form::kText}, {"value", recorder::Form::kAddress}}};
  if (recorder::entries.get_state != nullptr) recorder::Note(&kNote, recorder::Address(name), value);
}

EXPORTED void recorder_probe(const char* name) {
  using namespace recorder;
  probe_name = name;
  const unsigned number = probe_number + 1;
  probe_number = number;
  const int self = static_cast<int>(syscall(SYS_gettid));
  for (ThreadLog* log = FirstLog(); log != nullptr; log = log->next)
    if (log->system_id == self || syscall(SYS_tgkill, getpid(), log->system_id, SIGRTMAX - 3) != 0)
      log->probed = number;  // gone
  for (ThreadLog* log = FirstLog(); log != nullptr; log = log->next)
    while (log->probed != number) {
      const timespec pause = {0, 100000};
      nanosleep(&pause, nullptr);
    }
}

EXPORTED int recorder_state(uint64_t* wait_id) {
  return recorder::entries.get_state != nullptr ? recorder::entries.get_state(wait_id) : -1;
}
