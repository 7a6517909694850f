// Writes the records as text: a line for each event, `name=value` separated by blanks, values without blanks.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record.h"

namespace recorder {

extern char file_suffix[];

namespace {

struct Name {
  uint64_t value;
  const char* name;
};

const Name kThreadKinds[] = {{1, "initial"}, {2, "worker"}, {3, "other"}, {4, "unknown"}, {0, nullptr}};
const Name kEndpoints[] = {{1, "begin"}, {2, "end"}, {3, "beginend"}, {0, nullptr}};
const Name kSyncs[] = {{1, "barrier"},
                       {2, "barrier_implicit"},
                       {3, "barrier_explicit"},
                       {4, "barrier_implementation"},
                       {5, "taskwait"},
                       {6, "taskgroup"},
                       {7, "reduction"},
                       {8, "barrier_implicit_workshare"},
                       {9, "barrier_implicit_parallel"},
                       {10, "barrier_teams"},
                       {0, nullptr}};
const Name kMutexes[] = {{1, "lock"},     {2, "test_lock"}, {3, "nest_lock"}, {4, "test_nest_lock"},
                         {5, "critical"}, {6, "atomic"},    {7, "ordered"},   {0, nullptr}};
const Name kWorks[] = {{1, "loop"},         {2, "sections"},  {3, "single_executor"},
                       {4, "single_other"}, {5, "workshare"}, {6, "distribute"},
                       {7, "taskloop"},     {8, "scope"},     {0, nullptr}};
const Name kDispatches[] = {{1, "iteration"}, {2, "section"}, {0, nullptr}};
const Name kTaskStatuses[] = {{1, "complete"},      {2, "yield"},        {3, "cancel"}, {4, "detach"},
                              {5, "early_fulfill"}, {6, "late_fulfill"}, {7, "switch"}, {8, "taskwait_complete"},
                              {0, nullptr}};
const Name kSetResults[] = {{0, "error"},  {1, "never"}, {2, "impossible"}, {3, "sometimes"}, {4, "sometimes_paired"},
                            {5, "always"}, {0, nullptr}};
const Name kTargets[] = {
    {1, "target"},        {2, "enter_data"},         {3, "exit_data"},         {4, "update"},
    {9, "target_nowait"}, {10, "enter_data_nowait"}, {11, "exit_data_nowait"}, {12, "update_nowait"},
    {0, nullptr}};
const Name kDataOps[] = {{1, "alloc"},
                         {2, "transfer_to_device"},
                         {3, "transfer_from_device"},
                         {4, "delete"},
                         {5, "associate"},
                         {6, "disassociate"},
                         {17, "alloc_async"},
                         {18, "transfer_to_device_async"},
                         {19, "transfer_from_device_async"},
                         {20, "delete_async"},
                         {0, nullptr}};
const Name kMapFlags[] = {{1, "to"},      {2, "from"},      {4, "alloc"}, {8, "release"},
                          {16, "delete"}, {32, "implicit"}, {0, nullptr}};
const Name kDependences[] = {{1, "in"},     {2, "out"},  {3, "inout"},    {4, "mutexinoutset"},
                             {5, "source"}, {6, "sink"}, {7, "inoutset"}, {0, nullptr}};
const Name kSeverities[] = {{1, "warning"}, {2, "fatal"}, {0, nullptr}};
const Name kTaskFlags[] = {{1, "initial"},         {2, "implicit"},       {4, "explicit"},
                           {8, "target"},          {0x10, "taskwait"},    {0x08000000, "undeferred"},
                           {0x10000000, "untied"}, {0x20000000, "final"}, {0x40000000, "mergeable"},
                           {0x80000000, "merged"}, {0, nullptr}};
const Name kParallelFlags[] = {
    {1, "invoker_program"}, {2, "invoker_runtime"}, {0x40000000, "league"}, {0x80000000, "team"}, {0, nullptr}};
const Name kCancelFlags[] = {{1, "parallel"},          {2, "sections"},     {4, "loop"},
                             {8, "taskgroup"},         {0x10, "activated"}, {0x20, "detected"},
                             {0x40, "discarded_task"}, {0, nullptr}};
const Name kFrameKinds[] = {{0x10, "cfa"}, {0x20, "framepointer"}, {0x30, "stackaddress"}, {0, nullptr}};
#define NAMED(name, code) {code, #name + strlen("ompt_state_")},
const Name kStates[] = {FOREACH_OMPT_STATE(NAMED){0x15, "wait_barrier_implementation"},
                        {0x16, "wait_barrier_teams"},
                        {uint64_t(-1), "unasked"},
                        {0, nullptr}};
#undef NAMED
#define NAMED(name, type, code) {code, #name + strlen("ompt_callback_")},
const Name kEvents[] = {FOREACH_OMPT_EVENT(NAMED){0, nullptr}};
#undef NAMED

FILE* out;

void WriteNamed(const Name* names, uint64_t value) {
  for (; names->name != nullptr; names++)
    if (names->value == value) {
      fputs(names->name, out);
      return;
    }
  fprintf(out, "%llu", static_cast<unsigned long long>(value));
}

void WriteFlags(const Name* names, uint64_t value) {
  uint64_t rest = static_cast<uint32_t>(value);
  const char* separator = "";
  for (; names->name != nullptr; names++)
    if ((rest & names->value) != 0) {
      rest &= ~names->value;
      fprintf(out, "%s%s", separator, names->name);
      separator = "+";
    }
  if (rest != 0 || *separator == 0) fprintf(out, "%s%#llx", separator, static_cast<unsigned long long>(rest));
}

void WriteCode(uint64_t address) {
  if (address == 0) {
    fputs("none", out);
    return;
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0) {
    fprintf(out, "%#llx", static_cast<unsigned long long>(address));
    return;
  }
  fprintf(out, "%s+%#llx", info.dli_fname,
          static_cast<unsigned long long>(address - reinterpret_cast<uint64_t>(info.dli_fbase)));
}

void WriteText(uint64_t address) {
  const char* text = reinterpret_cast<const char*>(address);
  for (; text != nullptr && *text != 0; text++) fputc(*text == ' ' || *text == '\n' ? '_' : *text, out);
}

void WriteFrameFlags(uint64_t flags) {
  fputs((flags & ompt_frame_application) != 0 ? "application+" : "runtime+", out);
  WriteNamed(kFrameKinds, flags & ~uint64_t{ompt_frame_application});
}

// The forms whose values are codes or flags with names.
struct Vocabulary {
  Form form;
  const Name* names;
  void (*write)(const Name* names, uint64_t value);
};
const Vocabulary kVocabularies[] = {{Form::kEvent, kEvents, WriteNamed},
                                    {Form::kSetResult, kSetResults, WriteNamed},
                                    {Form::kThreadKind, kThreadKinds, WriteNamed},
                                    {Form::kEndpoint, kEndpoints, WriteNamed},
                                    {Form::kSync, kSyncs, WriteNamed},
                                    {Form::kMutex, kMutexes, WriteNamed},
                                    {Form::kWork, kWorks, WriteNamed},
                                    {Form::kDispatch, kDispatches, WriteNamed},
                                    {Form::kTaskStatus, kTaskStatuses, WriteNamed},
                                    {Form::kTaskFlags, kTaskFlags, WriteFlags},
                                    {Form::kParallelFlags, kParallelFlags, WriteFlags},
                                    {Form::kCancelFlags, kCancelFlags, WriteFlags},
                                    {Form::kTarget, kTargets, WriteNamed},
                                    {Form::kDataOp, kDataOps, WriteNamed},
                                    {Form::kMapFlags, kMapFlags, WriteFlags},
                                    {Form::kDependence, kDependences, WriteNamed},
                                    {Form::kSeverity, kSeverities, WriteNamed}};

void WriteInWords(Form form, uint64_t value) {
  for (const Vocabulary& vocabulary : kVocabularies)
    if (vocabulary.form == form) return vocabulary.write(vocabulary.names, value);
}

void WriteValue(Form form, uint64_t value) {
  switch (form) {
    case Form::kNumber:
      fprintf(out, "%llu", static_cast<unsigned long long>(value));
      break;
    case Form::kSigned:
      fprintf(out, "%lld", static_cast<long long>(value));
      break;
    case Form::kAddress:
      fprintf(out, "%#llx", static_cast<unsigned long long>(value));
      break;
    case Form::kCode:
      return WriteCode(value);
    case Form::kText:
      return WriteText(value);
    case Form::kThread:
    case Form::kTask:
    case Form::kParallel:
      if (value == kNone)
        fputs("none", out);
      else
        fprintf(out, "%llu", static_cast<unsigned long long>(value));
      break;
    case Form::kFrameFlags:
      return WriteFrameFlags(value);
    case Form::kState:
      return WriteNamed(kStates, static_cast<uint64_t>(static_cast<int64_t>(static_cast<int>(value))));
    default:
      return WriteInWords(form, value);
  }
}

void WriteRecord(const ThreadLog& log, const Record& record) {
  fprintf(out, "thread=%u seq=%llu event=%s", log.number, static_cast<unsigned long long>(record.sequence),
          record.kind->name);
  for (int i = 0; i < kMaxArguments && record.kind->fields[i].name != nullptr; i++) {
    fprintf(out, " %s=", record.kind->fields[i].name);
    WriteValue(record.kind->fields[i].form, record.arguments[i]);
  }
  fputs(" state=", out);
  WriteValue(Form::kState, static_cast<uint64_t>(record.state));
  fprintf(out, " state_wait_id=%#llx", static_cast<unsigned long long>(record.wait_id));
  if (record.has_task) {
    fputs(" now_task=", out);
    WriteValue(Form::kTask, record.task);
    fputs(" now_parallel=", out);
    WriteValue(Form::kParallel, record.parallel);
    fputs(" now_flags=", out);
    WriteFlags(kTaskFlags, static_cast<uint64_t>(record.task_flags));
    fprintf(out, " now_thread_num=%d now_exit=%#llx now_exit_flags=", record.thread_num,
            static_cast<unsigned long long>(record.frame.exit_frame.value));
    WriteFrameFlags(static_cast<uint64_t>(record.frame.exit_frame_flags));
    fprintf(out, " now_enter=%#llx now_enter_flags=", static_cast<unsigned long long>(record.frame.enter_frame.value));
    WriteFrameFlags(static_cast<uint64_t>(record.frame.enter_frame_flags));
  } else {
    fputs(" now_task=absent", out);
  }
  fputc('\n', out);
}

}  // namespace

void WriteFile() {
  const char* path = getenv("CONFORMANCE_OUTPUT");
  if (path == nullptr) return;
  char name[4096];
  snprintf(name, sizeof(name), "%s%s", path, file_suffix);
  out = fopen(name, "we");
  if (out == nullptr) return;
  for (ThreadLog* log = FirstLog(); log != nullptr; log = log->next) {
    const unsigned count = log->count;
    for (unsigned i = 0; i < count && i < log->room; i++) {
      // A worker may be in a callback while exit() writes.
      if (__atomic_load_n(&log->records[i].kind, __ATOMIC_ACQUIRE) != nullptr) WriteRecord(*log, log->records[i]);
    }
    if (count > log->room) fprintf(out, "thread=%u seq=0 event=lost count=%u\n", log->number, count - log->room);
  }
  fclose(out);
  out = nullptr;
}

}  // namespace recorder
