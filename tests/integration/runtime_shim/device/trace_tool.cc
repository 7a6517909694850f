// A tool that traces every device, and writes a line for each event and for each record: into TRACE_TOOL_OUTPUT.
// TRACE_TOOL_BUFFER is the size of its buffers; 0: it gives none. TRACE_TOOL_EMI=0 leaves out the _emi callbacks.
// omp_control_tool pauses the traces (2), resumes them (1), flushes them (3), and ends the tool (4).
#include <omp-tools.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <atomic>

namespace {

constexpr int kMostDevices = 8;

FILE* out;
size_t buffer_size = 4096;
std::atomic<uint64_t> next_id{1000};

ompt_set_callback_t set_callback;
ompt_get_target_info_t get_target_info;
ompt_get_num_devices_t get_num_devices;
ompt_finalize_tool_t finalize_tool;

// The entry points of a device.
struct Device {
  ompt_device_t* object;
  ompt_get_device_num_procs_t get_device_num_procs;
  ompt_get_device_time_t get_device_time;
  ompt_translate_time_t translate_time;
  ompt_set_trace_ompt_t set_trace_ompt;
  ompt_set_trace_native_t set_trace_native;
  ompt_start_trace_t start_trace;
  ompt_pause_trace_t pause_trace;
  ompt_flush_trace_t flush_trace;
  ompt_stop_trace_t stop_trace;
  ompt_advance_buffer_cursor_t advance_buffer_cursor;
  ompt_get_record_type_t get_record_type;
  ompt_get_record_ompt_t get_record_ompt;
  ompt_get_record_native_t get_record_native;
  ompt_get_record_abstract_t get_record_abstract;
} devices[kMostDevices];

template <class Function>
void Find(Function& function, ompt_function_lookup_t lookup, const char* name) {
  function = reinterpret_cast<Function>(lookup(name));
  if (function == nullptr) fprintf(out, "missing name=%s\n", name);
}

void Request(int, ompt_buffer_t** buffer, size_t* bytes) {
  *bytes = buffer_size;
  *buffer = buffer_size != 0 ? malloc(buffer_size) : nullptr;
}

double Seconds(const Device& device, ompt_device_time_t time) { return device.translate_time(device.object, time); }

void WriteOmpt(int number, const Device& device, const ompt_record_ompt_t& record) {
  if (record.type == ompt_callback_target_submit) {
    const ompt_record_target_kernel_t& kernel = record.record.target_kernel;
    fprintf(out, "record format=ompt kind=kernel device=%d target_id=%lu host_op_id=%lu begin=%.9f end=%.9f teams=%u\n",
            number, record.target_id, kernel.host_op_id, Seconds(device, record.time), Seconds(device, kernel.end_time),
            kernel.requested_num_teams);
    return;
  }
  const ompt_record_target_data_op_t& data = record.record.target_data_op;
  fprintf(
      out,
      "record format=ompt kind=data_op device=%d target_id=%lu host_op_id=%lu begin=%.9f end=%.9f type=%d bytes=%zu "
      "source_device=%d destination_device=%d has_code=%d\n",
      number, record.target_id, data.host_op_id, Seconds(device, record.time), Seconds(device, data.end_time),
      data.optype, data.bytes, data.src_device_num, data.dest_device_num, data.codeptr_ra != nullptr);
}

void WriteNative(int number, const Device& device, void* record, ompt_id_t host_op_id) {
  const ompt_record_abstract_t* abstract = device.get_record_abstract(record);
  fprintf(out, "record format=native kind=%s device=%d host_op_id=%lu begin=%.9f end=%.9f class=%d\n", abstract->type,
          number, host_op_id, Seconds(device, abstract->start_time), Seconds(device, abstract->end_time),
          abstract->rclass);
}

void Complete(int number, ompt_buffer_t* buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned) {
  const Device& device = devices[number];
  ompt_buffer_cursor_t at = begin;
  unsigned count = 0;
  do {
    count++;
    ompt_id_t host_op_id = 0;
    switch (device.get_record_type(buffer, at)) {
      case ompt_record_ompt:
        WriteOmpt(number, device, *device.get_record_ompt(buffer, at));
        break;
      case ompt_record_native: {
        void* record = device.get_record_native(buffer, at, &host_op_id);
        WriteNative(number, device, record, host_op_id);
        break;
      }
      default:
        fprintf(out, "invalid\n");
    }
  } while (device.advance_buffer_cursor(device.object, buffer, bytes, at, &at) != 0);
  fprintf(out, "buffer device=%d records=%u owned=%d\n", number, count, owned);
  if (owned != 0) free(buffer);
}

void OnInitialize(int number, const char* type, ompt_device_t* object, ompt_function_lookup_t lookup,
                  const char* documentation) {
  fprintf(out, "device_initialize device=%d type=%s traces=%d documented=%d\n", number, type, lookup != nullptr,
          documentation != nullptr);
  if (lookup == nullptr || number >= kMostDevices) return;
  Device& device = devices[number];
  device.object = object;
  Find(device.get_device_num_procs, lookup, "ompt_get_device_num_procs");
  Find(device.get_device_time, lookup, "ompt_get_device_time");
  Find(device.translate_time, lookup, "ompt_translate_time");
  Find(device.set_trace_ompt, lookup, "ompt_set_trace_ompt");
  Find(device.set_trace_native, lookup, "ompt_set_trace_native");
  Find(device.start_trace, lookup, "ompt_start_trace");
  Find(device.pause_trace, lookup, "ompt_pause_trace");
  Find(device.flush_trace, lookup, "ompt_flush_trace");
  Find(device.stop_trace, lookup, "ompt_stop_trace");
  Find(device.advance_buffer_cursor, lookup, "ompt_advance_buffer_cursor");
  Find(device.get_record_type, lookup, "ompt_get_record_type");
  Find(device.get_record_ompt, lookup, "ompt_get_record_ompt");
  Find(device.get_record_native, lookup, "ompt_get_record_native");
  Find(device.get_record_abstract, lookup, "ompt_get_record_abstract");
  if (device.set_trace_ompt != nullptr) device.set_trace_ompt(object, 1, 0);
  if (device.set_trace_native != nullptr)
    device.set_trace_native(
        object, 1, ompt_native_kernel_execution | ompt_native_data_motion_explicit | ompt_native_data_motion_implicit);
  const int started = device.start_trace(object, Request, Complete);
  fprintf(out, "start_trace device=%d result=%d procs=%d now=%.9f\n", number, started,
          device.get_device_num_procs(object), Seconds(device, device.get_device_time(object)));
}

void OnFinalize(int number) { fprintf(out, "device_finalize device=%d\n", number); }

void WriteSubmit(ompt_id_t target_id, ompt_id_t host_op_id) {
  uint64_t device = 99;
  ompt_id_t target = 0, operation = 0;
  const int known = get_target_info(&device, &target, &operation);
  fprintf(out,
          "submit target_id=%lu host_op_id=%lu info=%d info_device=%lu info_target=%lu info_operation=%lu devices=%d\n",
          target_id, host_op_id, known, device, target, operation, get_num_devices());
}

void OnTarget(ompt_target_t, ompt_scope_endpoint_t endpoint, int, ompt_data_t*, ompt_data_t*, ompt_data_t* target_data,
              const void*) {
  if (endpoint == ompt_scope_begin) target_data->value = next_id.fetch_add(1);
}

void OnSubmitEmi(ompt_scope_endpoint_t endpoint, ompt_data_t* target_data, ompt_id_t* host_op_id, unsigned) {
  if (endpoint != ompt_scope_begin) return;
  *host_op_id = next_id.fetch_add(1);
  WriteSubmit(target_data->value, *host_op_id);
}

void OnSubmit(ompt_id_t target_id, ompt_id_t host_op_id, unsigned) { WriteSubmit(target_id, host_op_id); }

void OnDataOpEmi(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* target_data, ompt_id_t* host_op_id,
                 ompt_target_data_op_t type, void*, int, void*, int, size_t bytes, const void*) {
  if (endpoint == ompt_scope_begin) *host_op_id = next_id.fetch_add(1);
  if (endpoint != ompt_scope_end) return;
  fprintf(out, "data_op target_id=%lu host_op_id=%lu type=%d bytes=%zu\n",
          target_data != nullptr ? target_data->value : 0, *host_op_id, type, bytes);
}

void OnDataOp(ompt_id_t target_id, ompt_id_t host_op_id, ompt_target_data_op_t type, void*, int, void*, int,
              size_t bytes, const void*) {
  fprintf(out, "data_op target_id=%lu host_op_id=%lu type=%d bytes=%zu\n", target_id, host_op_id, type, bytes);
}

int OnControl(uint64_t command, uint64_t, void*, const void*) {
  for (Device& device : devices) {
    if (device.object == nullptr) continue;
    if (command == 1) device.pause_trace(device.object, 0);
    if (command == 2) device.pause_trace(device.object, 1);
    if (command == 3) device.flush_trace(device.object);
  }
  fprintf(out, "control command=%lu\n", command);
  if (command == 4) finalize_tool();
  return 0;
}

template <class Callback>
void Register(ompt_callbacks_t event, Callback* callback) {
  set_callback(event, reinterpret_cast<ompt_callback_t>(callback));
}

int Initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  out = fopen(getenv("TRACE_TOOL_OUTPUT"), "w");
  if (out == nullptr) return 0;
  if (const char* size = getenv("TRACE_TOOL_BUFFER")) buffer_size = strtoul(size, nullptr, 10);
  const char* emi = getenv("TRACE_TOOL_EMI");
  Find(set_callback, lookup, "ompt_set_callback");
  Find(get_target_info, lookup, "ompt_get_target_info");
  Find(get_num_devices, lookup, "ompt_get_num_devices");
  Find(finalize_tool, lookup, "ompt_finalize_tool");
  Register(ompt_callback_device_initialize, OnInitialize);
  Register(ompt_callback_device_finalize, OnFinalize);
  Register(ompt_callback_control_tool, OnControl);
  if (emi != nullptr && *emi == '0') {
    Register(ompt_callback_target_submit, OnSubmit);
    Register(ompt_callback_target_data_op, OnDataOp);
  } else {
    Register(ompt_callback_target_emi, OnTarget);
    Register(ompt_callback_target_submit_emi, OnSubmitEmi);
    Register(ompt_callback_target_data_op_emi, OnDataOpEmi);
  }
  return 1;
}

void Finalize(ompt_data_t*) {
  fprintf(out, "finalize\n");
  fflush(out);
}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {Initialize, Finalize, {0}};
  return &result;
}
