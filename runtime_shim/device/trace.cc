#include "runtime_shim/device/trace.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime_shim/device/options.h"
#include "runtime_shim/device/record_layout.h"
#include "runtime_shim/device/threads.h"

namespace reference_device {
namespace {

constexpr unsigned Bit(NativeKind kind) { return 1u << static_cast<unsigned>(kind); }

constexpr unsigned kKernels = Bit(NativeKind::kKernel);
constexpr unsigned kDataOperations = Bit(NativeKind::kCopyToDevice) | Bit(NativeKind::kCopyFromDevice) |
                                     Bit(NativeKind::kCopyOnDevice) | Bit(NativeKind::kAlloc) | Bit(NativeKind::kFree) |
                                     Bit(NativeKind::kFill);
constexpr unsigned kNativeKernels = ompt_native_kernel_invocation | ompt_native_kernel_execution;
constexpr unsigned kNativeMotion = ompt_native_data_motion_explicit | ompt_native_data_motion_implicit;

// The kinds of operations behind a callback's number; 0 for other callbacks.
unsigned KindsOf(unsigned event) {
  switch (event) {
    case 0:
      return kKernels | kDataOperations;
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi:
      return kKernels;
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi:
      return kDataOperations;
    default:
      return 0;
  }
}

unsigned NativeFlagOf(NativeKind kind, bool is_in_region) {
  if (kind == NativeKind::kKernel) return kNativeKernels;
  return is_in_region ? ompt_native_data_motion_implicit : ompt_native_data_motion_explicit;
}

// The trace whose thread this is.
__thread const Trace* own_trace;

}  // namespace

struct Trace::Pending {
  Pending* next;
  Operation operation;
};

bool Trace::IsTraceThread() const { return own_trace == this; }

unsigned Trace::Begin(NativeKind kind, bool is_in_region) {
  const Locked locked(mutex_);
  if (!is_started_ || is_paused_ || is_stopping_) return 0;
  unsigned records = 0;
  if ((ompt_events_ & Bit(kind)) != 0) records |= kOmptRecord;
  if ((native_flags_ & NativeFlagOf(kind, is_in_region)) != 0) records |= kNativeRecord;
  if (records != 0) under_way_++;
  return records;
}

void Trace::Add(const Operation& operation) {
  if (operation.records == 0) return;
  auto* pending = static_cast<Pending*>(malloc(sizeof(Pending)));
  const Locked locked(mutex_);
  under_way_--;
  if (pending != nullptr) {
    pending->next = nullptr;
    pending->operation = operation;
    *last_ = pending;
    last_ = &pending->next;
    pending_++;
  } else {
    lost_++;
  }
  // A wake costs the device's caller some microseconds: only for a whole buffer's worth.
  if (is_stopping_ || pending_ == GetOptions().buffer_records) pthread_cond_broadcast(&changed_);
}

ompt_set_result_t Trace::SetOmpt(bool enable, unsigned event) {
  const unsigned kinds = KindsOf(event);
  if (kinds == 0) return ompt_set_impossible;
  const Locked locked(mutex_);
  ompt_events_ = enable ? ompt_events_ | kinds : ompt_events_ & ~kinds;
  return event == 0 ? ompt_set_sometimes : ompt_set_always;
}

ompt_set_result_t Trace::SetNative(bool enable, unsigned flags) {
  const unsigned known = flags & (kNativeKernels | kNativeMotion);
  if (known == 0) return ompt_set_impossible;
  const Locked locked(mutex_);
  native_flags_ = enable ? native_flags_ | known : native_flags_ & ~known;
  return known == flags ? ompt_set_always : ompt_set_sometimes;
}

int Trace::Start(ompt_callback_buffer_request_t request, ompt_callback_buffer_complete_t complete) {
  if (request == nullptr || complete == nullptr || IsTraceThread()) return 0;
  const Locked control(control_);
  if (has_thread_) return 0;
  request_ = request;
  complete_ = complete;
  is_stopping_ = is_paused_ = has_useless_buffers_ = false;
  has_thread_ = StartThread(&thread_, RunThread, this, "gomp-trace");
  const Locked locked(mutex_);
  is_started_ = has_thread_;
  return has_thread_ ? 1 : 0;
}

int Trace::Pause(bool begin) {
  const Locked locked(mutex_);
  if (!is_started_) return 0;
  is_paused_ = begin;
  return 1;
}

int Trace::Flush() {
  if (IsTraceThread()) return 0;
  const Locked control(control_);
  const Locked locked(mutex_);
  if (!is_started_) return 0;
  const unsigned long wanted = ++flushes_wanted_;
  pthread_cond_broadcast(&changed_);
  while (flushes_done_ < wanted) pthread_cond_wait(&changed_, &mutex_);
  return 1;
}

void Trace::KernelNeverEnds() {
  const Locked locked(mutex_);
  if (under_way_ != 0) --under_way_;
}

int Trace::Stop() {
  if (IsTraceThread()) return 0;
  const Locked control(control_);
  if (!has_thread_) return 0;
  {
    const Locked locked(mutex_);
    is_stopping_ = true;
    pthread_cond_broadcast(&changed_);
  }
  pthread_join(thread_, nullptr);
  has_thread_ = false;
  const Locked locked(mutex_);
  is_started_ = false;
  return 1;
}

void* Trace::RunThread(void* trace) {
  own_trace = static_cast<Trace*>(trace);
  static_cast<Trace*>(trace)->Drain();
  return nullptr;
}

// Writes what is pending first, so a flush and the end find all records in buffers.
void Trace::Drain() {
  pthread_mutex_lock(&mutex_);
  while (true) {
    const bool is_wanted = pending_ >= GetOptions().buffer_records || flushes_done_ != flushes_wanted_ || is_stopping_;
    if (first_ != nullptr && is_wanted) {
      Pending* all = first_;
      first_ = nullptr;
      last_ = &first_;
      pending_ = 0;
      pthread_mutex_unlock(&mutex_);
      WriteAll(all);
      pthread_mutex_lock(&mutex_);
    } else if (flushes_done_ != flushes_wanted_) {
      const unsigned long wanted = flushes_wanted_;
      pthread_mutex_unlock(&mutex_);
      HandBack();
      pthread_mutex_lock(&mutex_);
      flushes_done_ = wanted;
      pthread_cond_broadcast(&changed_);
    } else if (is_stopping_ && under_way_ == 0) {
      break;
    } else {
      pthread_cond_wait(&changed_, &mutex_);
    }
  }
  pthread_mutex_unlock(&mutex_);
  HandBack();
}

void Trace::WriteAll(Pending* first) {
  while (first != nullptr) {
    Pending* next = first->next;
    WriteRecords(first->operation);
    free(first);
    first = next;
  }
}

void Trace::WriteRecords(const Operation& operation) {
  if ((operation.records & kOmptRecord) != 0) {
    if (void* at = Reserve(ompt_record_ompt, sizeof(ompt_record_ompt_t)))
      FillOmpt(operation, static_cast<ompt_record_ompt_t*>(at));
  }
  if ((operation.records & kNativeRecord) != 0) {
    if (void* at = Reserve(ompt_record_native, sizeof(NativeRecord)))
      FillNative(operation, static_cast<NativeRecord*>(at));
  }
  if (records_ >= GetOptions().buffer_records) HandBack();
}

bool Trace::Request(size_t needed) {
  if (has_useless_buffers_) return false;
  ompt_buffer_t* buffer = nullptr;
  size_t bytes = 0;
  request_(device_num_, &buffer, &bytes);
  if (buffer == nullptr || bytes == 0) return false;
  const size_t before = -reinterpret_cast<uintptr_t>(buffer) % kRecordAlignment;
  has_useless_buffers_ = bytes < before + needed;
  if (has_useless_buffers_) return false;
  buffer_ = buffer;
  capacity_ = bytes;
  begin_ = used_ = before;
  records_ = 0;
  return true;
}

// Room for a record with its header written. A buffer without room goes back. NULL if the tool gives no buffer.
void* Trace::Reserve(ompt_record_t type, size_t size) {
  const size_t needed = (sizeof(RecordHeader) + size + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
  if (buffer_ != nullptr && (used_ + needed > capacity_ || records_ >= GetOptions().buffer_records)) HandBack();
  if (buffer_ == nullptr && !Request(needed)) {
    lost_++;
    return nullptr;
  }
  auto* header = reinterpret_cast<RecordHeader*>(static_cast<char*>(buffer_) + used_);
  header->mark = kRecordMark;
  header->size = static_cast<uint32_t>(needed);
  header->type = type;
  used_ += needed;
  records_++;
  // A tool may ask for the record behind the last with the size of the whole buffer.
  if (used_ + sizeof(RecordHeader) <= capacity_)
    reinterpret_cast<RecordHeader*>(static_cast<char*>(buffer_) + used_)->mark = 0;
  return header + 1;
}

void Trace::HandBack() {
  if (buffer_ == nullptr) return;
  ompt_buffer_t* buffer = buffer_;
  buffer_ = nullptr;
  complete_(device_num_, buffer, used_, begin_, /*buffer_owned=*/1);
}

void Trace::ForgetAfterFork() {
  pthread_mutex_init(&control_, nullptr);
  pthread_mutex_init(&mutex_, nullptr);
  pthread_cond_init(&changed_, nullptr);
  is_started_ = is_paused_ = is_stopping_ = has_thread_ = false;
  under_way_ = pending_ = 0;
  ompt_events_ = native_flags_ = 0;
  flushes_done_ = flushes_wanted_;
  first_ = nullptr;
  last_ = &first_;
  buffer_ = nullptr;
}

}  // namespace reference_device
