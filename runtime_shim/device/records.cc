// What the trace writes into a tool's buffer, and how a tool finds it there.
#include <string.h>

#include "runtime_shim/device/record_layout.h"
#include "runtime_shim/device/trace.h"

namespace reference_device {

namespace {

const RecordHeader* HeaderAt(ompt_buffer_t* buffer, ompt_buffer_cursor_t current) {
  const auto* header = reinterpret_cast<const RecordHeader*>(static_cast<char*>(buffer) + current);
  return header->mark == kRecordMark ? header : nullptr;
}

ompt_target_data_op_t OperationType(NativeKind kind) {
  switch (kind) {
    case NativeKind::kAlloc:
      return ompt_target_data_alloc;
    case NativeKind::kFree:
      return ompt_target_data_delete;
    case NativeKind::kCopyFromDevice:
      return ompt_target_data_transfer_from_device;
    default:
      return ompt_target_data_transfer_to_device;
  }
}

const char* TypeName(NativeKind kind) {
  switch (kind) {
    case NativeKind::kKernel:
      return "kernel";
    case NativeKind::kCopyToDevice:
      return "copy to device";
    case NativeKind::kCopyFromDevice:
      return "copy from device";
    case NativeKind::kCopyOnDevice:
      return "copy on device";
    case NativeKind::kAlloc:
      return "allocation";
    case NativeKind::kFree:
      return "release";
    case NativeKind::kFill:
      return "fill";
  }
  return "unknown";
}

}  // namespace

int Advance(ompt_buffer_t* buffer, size_t size, ompt_buffer_cursor_t current, ompt_buffer_cursor_t* next) {
  if (current + sizeof(RecordHeader) > size) return 0;
  const RecordHeader* header = HeaderAt(buffer, current);
  if (header == nullptr) return 0;
  const ompt_buffer_cursor_t behind = current + header->size;
  if (behind + sizeof(RecordHeader) > size || HeaderAt(buffer, behind) == nullptr) return 0;
  *next = behind;
  return 1;
}

ompt_record_t RecordType(ompt_buffer_t* buffer, ompt_buffer_cursor_t current) {
  const RecordHeader* header = HeaderAt(buffer, current);
  return header != nullptr ? header->type : ompt_record_invalid;
}

void* RecordAt(ompt_buffer_t* buffer, ompt_buffer_cursor_t current, ompt_record_t type) {
  if (RecordType(buffer, current) != type) return nullptr;
  return static_cast<char*>(buffer) + current + sizeof(RecordHeader);
}

void Trace::FillOmpt(const Operation& operation, ompt_record_ompt_t* record) const {
  *record = {};
  record->time = clock_.FromHost(operation.begin_ns);
  record->thread_id = kDeviceThread;
  record->target_id = operation.host.target_id;
  const ompt_device_time_t end_time = clock_.FromHost(operation.end_ns);
  if (operation.kind == NativeKind::kKernel) {
    record->type = ompt_callback_target_submit;
    ompt_record_target_kernel_t& kernel = record->record.target_kernel;
    kernel.host_op_id = operation.host.host_op_id;
    kernel.requested_num_teams = operation.host.requested_num_teams;
    kernel.granted_num_teams = 1;
    kernel.end_time = end_time;
    return;
  }
  record->type = ompt_callback_target_data_op;
  ompt_record_target_data_op_t& data = record->record.target_data_op;
  data.host_op_id = operation.host.host_op_id;
  data.optype = OperationType(operation.kind);
  data.src_addr = const_cast<void*>(operation.source);
  data.src_device_num = operation.source_is_host ? operation.host.host_device_num : device_num_;
  data.dest_addr = const_cast<void*>(operation.destination);
  data.dest_device_num = operation.destination_is_host ? operation.host.host_device_num : device_num_;
  data.bytes = operation.bytes;
  data.end_time = end_time;
  data.codeptr_ra = operation.host.codeptr_ra;
}

void Trace::FillNative(const Operation& operation, NativeRecord* record) const {
  *record = {};
  record->kind = operation.kind;
  record->function = operation.function;
  record->bytes = operation.bytes;
  record->target_id = operation.host.target_id;
  record->host_op_id = operation.host.host_op_id;
  record->abstract.rclass = ompt_record_native_event;
  record->abstract.type = TypeName(operation.kind);
  record->abstract.start_time = clock_.FromHost(operation.begin_ns);
  record->abstract.end_time = clock_.FromHost(operation.end_ns);
  record->abstract.hwid = operation.kind == NativeKind::kKernel ? kKernelEngine : kCopyEngine;
}

}  // namespace reference_device
