// The recording tool's notes while the program runs: numbers only, in memory of the calling thread. write.cc makes
// names and text when it writes the file.
#ifndef TESTS_RUNTIME_SHIM_CONFORMANCE_RECORDER_RECORD_H_
#define TESTS_RUNTIME_SHIM_CONFORMANCE_RECORDER_RECORD_H_

#include <omp-tools.h>
#include <stdint.h>

namespace recorder {

// How an argument is written.
enum class Form : uint8_t {
  kNumber,
  kSigned,
  kAddress,
  kCode,  // module+0xoffset of a code address
  kText,  // a char array that lives as long as the process
  kThread,
  kTask,  // an id of the tool's, or none (NULL), or 0 (never set)
  kParallel,
  kEvent,
  kSetResult,
  kThreadKind,
  kEndpoint,
  kSync,
  kMutex,
  kWork,
  kDispatch,
  kTaskStatus,
  kTaskFlags,
  kParallelFlags,
  kFrameFlags,
  kCancelFlags,
  kTarget,
  kDataOp,
  kMapFlags,
  kDependence,
  kSeverity,
  kState,
};

struct Field {
  const char* name;
  Form form;
};

constexpr int kMaxArguments = 12;

// An event's name and the fields of its arguments.
struct Kind {
  const char* name;
  Field fields[kMaxArguments];
};

struct Record {
  const Kind* kind;   // written last; NULL: the program ended while the record was being made
  uint64_t sequence;  // over all threads
  uint64_t arguments[kMaxArguments];
  // The entry points' answers within the callback.
  int state;
  ompt_wait_id_t wait_id;
  bool has_task;
  uint64_t task, parallel;
  int task_flags, thread_num;
  ompt_frame_t frame;
};

struct ThreadLog {
  ThreadLog* next;
  unsigned number;  // 1 for the first thread with a record
  int system_id;    // gettid
  unsigned count;   // count of records, including those without room
  unsigned room;
  Record* records;
  volatile unsigned probed;  // the last probe (probe.cc) that this thread answered
};

// Ids in the words that OMPT gives the tool. 0: no event has set the word.
constexpr uint64_t kNone = ~uint64_t{0};
inline uint64_t Id(const ompt_data_t* data) { return data != nullptr ? data->value : kNone; }

// The calling thread's log, made at its first record.
ThreadLog* Log();
ThreadLog* FirstLog();

// Claims the next record of the calling thread and fills in everything but the kind and the arguments. NULL when the
// memory is full. Async-signal-safe on a thread that has recorded before.
Record* NewRecord();

template <class... Arguments>
void Note(const Kind* kind, Arguments... arguments) {
  Record* record = NewRecord();
  if (record == nullptr) return;
  const uint64_t values[] = {static_cast<uint64_t>(arguments)..., 0};
  for (unsigned i = 0; i < sizeof...(arguments); i++) record->arguments[i] = values[i];
  __atomic_store_n(&record->kind, kind, __ATOMIC_RELEASE);
}

template <class Type>
uint64_t Address(Type* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// The entry points, by name; NULL members were not found.
struct Entries {
  ompt_set_callback_t set_callback;
  ompt_get_state_t get_state;
  ompt_get_task_info_t get_task_info;
  ompt_get_parallel_info_t get_parallel_info;
  ompt_get_thread_data_t get_thread_data;
};
extern Entries entries;

// Registers every callback and notes each answer.
void RegisterCallbacks();

// Writes all threads' records to $CONFORMANCE_OUTPUT (and a suffix in the child of a fork).
void WriteFile();

// Called in the child of a fork, before its own events.
void ForgetRecords();

}  // namespace recorder

#endif  // TESTS_RUNTIME_SHIM_CONFORMANCE_RECORDER_RECORD_H_
