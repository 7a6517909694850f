// The trace of one device: which operations get records, and how the records come into the tool's buffers.
//
// An operation asks at its beginning which records it gets, and comes here at its end. A thread of the trace writes the
// records into buffers of the tool, and hands the buffers back. So the tool's callbacks come from that thread, one at a
// time, even while a kernel runs. No record is lost except where the tool gives no buffer.
#ifndef RUNTIME_SHIM_DEVICE_TRACE_H_
#define RUNTIME_SHIM_DEVICE_TRACE_H_

#include <omp-tools.h>
#include <pthread.h>
#include <stddef.h>

#include "runtime_shim/device/clock.h"
#include "runtime_shim/device/operation.h"

namespace reference_device {

class Trace {
 public:
  explicit Trace(const Clock& clock) : clock_(clock) {}

  void SetDeviceNum(int device_num) { device_num_ = device_num; }

  // The device's side. Begins, and says which records the operation gets; if any, Add must follow.
  unsigned Begin(NativeKind kind, bool is_in_region);
  void Add(const Operation& operation);

  // The tool's side: the entry points of the same names. Each returns 1, or 0 if it refuses. Stop and Flush return when
  // the tool has its records; Stop also waits for the operations that have begun. Both refuse on the trace's thread.
  ompt_set_result_t SetOmpt(bool enable, unsigned event);
  ompt_set_result_t SetNative(bool enable, unsigned flags);
  int Start(ompt_callback_buffer_request_t request, ompt_callback_buffer_complete_t complete);
  int Pause(bool begin);
  int Flush();
  int Stop();

  // A kernel that ends the process never ends itself. Stop then does not wait for it. On the kernel's thread.
  void KernelNeverEnds();

  unsigned long lost() const { return lost_; }

  // Called in the child of a fork, which has no thread of the trace and another tool.
  void ForgetAfterFork();

 private:
  struct Pending;

  static void* RunThread(void* trace);
  void Drain();
  bool IsTraceThread() const;
  void WriteAll(Pending* first);
  void WriteRecords(const Operation& operation);
  void FillOmpt(const Operation& operation, ompt_record_ompt_t* record) const;
  void FillNative(const Operation& operation, NativeRecord* record) const;
  bool Request(size_t needed);
  void* Reserve(ompt_record_t kind, size_t size);
  void HandBack();

  const Clock& clock_;
  int device_num_ = 0;

  pthread_mutex_t control_ = PTHREAD_MUTEX_INITIALIZER;  // one start, flush or stop at a time
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;    // of what follows
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  bool is_started_ = false;
  bool is_paused_ = false;
  bool is_stopping_ = false;
  unsigned ompt_events_ = 0;   // bits: NativeKind's numbers
  unsigned native_flags_ = 0;  // ompt_native_mon_flag_t
  unsigned long under_way_ = 0;
  unsigned long pending_ = 0;  // operations from first_ on
  unsigned long flushes_wanted_ = 0, flushes_done_ = 0;
  Pending* first_ = nullptr;
  Pending** last_ = &first_;

  // Of the trace's thread.
  pthread_t thread_ = {};
  bool has_thread_ = false;
  ompt_callback_buffer_request_t request_ = nullptr;
  ompt_callback_buffer_complete_t complete_ = nullptr;
  ompt_buffer_t* buffer_ = nullptr;
  size_t capacity_ = 0, begin_ = 0, used_ = 0;
  unsigned records_ = 0;
  bool has_useless_buffers_ = false;  // too small for one record: the tool is not asked again
  unsigned long lost_ = 0;
};

// Records in a tool's buffer. A cursor is the offset of a record. `Advance` sets the next cursor and returns 1, or
// returns 0 behind the last record.
int Advance(ompt_buffer_t* buffer, size_t size, ompt_buffer_cursor_t current, ompt_buffer_cursor_t* next);
ompt_record_t RecordType(ompt_buffer_t* buffer, ompt_buffer_cursor_t current);
// NULL if the record is of another type.
void* RecordAt(ompt_buffer_t* buffer, ompt_buffer_cursor_t current, ompt_record_t type);

}  // namespace reference_device

#endif  // RUNTIME_SHIM_DEVICE_TRACE_H_
