#include "runtime_shim/device/trace_entry_points.h"

#include <stddef.h>
#include <string.h>

#include "runtime_shim/device/device.h"
#include "runtime_shim/device/options.h"

namespace reference_device {
namespace {

Device& Of(ompt_device_t* device) { return *static_cast<Device*>(device); }

// Kernels run one at a time.
int GetNumProcs(ompt_device_t*) { return 1; }

ompt_device_time_t GetTime(ompt_device_t* device) { return Of(device).clock().Now(); }

double TranslateTime(ompt_device_t* device, ompt_device_time_t time) { return Of(device).clock().ToHostSeconds(time); }

ompt_set_result_t SetTraceOmpt(ompt_device_t* device, unsigned enable, unsigned event) {
  return Of(device).trace().SetOmpt(enable != 0, event);
}

ompt_set_result_t SetTraceNative(ompt_device_t* device, int enable, int flags) {
  return Of(device).trace().SetNative(enable != 0, static_cast<unsigned>(flags));
}

int StartTrace(ompt_device_t* device, ompt_callback_buffer_request_t request,
               ompt_callback_buffer_complete_t complete) {
  return Of(device).trace().Start(request, complete);
}

int PauseTrace(ompt_device_t* device, int begin) { return Of(device).trace().Pause(begin != 0); }
int FlushTrace(ompt_device_t* device) { return Of(device).trace().Flush(); }
// In a kernel, as in exit() there, the trace cannot wait for the kernel.
int StopTrace(ompt_device_t* device) {
  if (DeviceHere() == &Of(device)) Of(device).trace().KernelNeverEnds();
  return Of(device).trace().Stop();
}

int AdvanceCursor(ompt_device_t*, ompt_buffer_t* buffer, size_t size, ompt_buffer_cursor_t current,
                  ompt_buffer_cursor_t* next) {
  return Advance(buffer, size, current, next);
}

ompt_record_ompt_t* GetRecordOmpt(ompt_buffer_t* buffer, ompt_buffer_cursor_t current) {
  return static_cast<ompt_record_ompt_t*>(RecordAt(buffer, current, ompt_record_ompt));
}

void* GetRecordNative(ompt_buffer_t* buffer, ompt_buffer_cursor_t current, ompt_id_t* host_op_id) {
  auto* record = static_cast<NativeRecord*>(RecordAt(buffer, current, ompt_record_native));
  if (record != nullptr && host_op_id != nullptr) *host_op_id = record->host_op_id;
  return record;
}

ompt_record_abstract_t* GetRecordAbstract(void* record) {
  return record != nullptr ? &static_cast<NativeRecord*>(record)->abstract : nullptr;
}

template <class Function>
ompt_interface_fn_t Erase(Function* function) {
  return reinterpret_cast<ompt_interface_fn_t>(function);
}

enum class Needs { kNothing, kOmpt, kNative };

struct Entry {
  const char* name;
  ompt_interface_fn_t function;
  Needs needs;
};

}  // namespace

ompt_interface_fn_t LookUpTraceEntryPoint(const char* name) {
  static const Entry kEntries[] = {
      {"ompt_get_device_num_procs", Erase(GetNumProcs), Needs::kNothing},
      {"ompt_get_device_time", Erase(GetTime), Needs::kNothing},
      {"ompt_translate_time", Erase(TranslateTime), Needs::kNothing},
      {"ompt_set_trace_ompt", Erase(SetTraceOmpt), Needs::kOmpt},
      {"ompt_set_trace_native", Erase(SetTraceNative), Needs::kNative},
      {"ompt_start_trace", Erase(StartTrace), Needs::kNothing},
      {"ompt_pause_trace", Erase(PauseTrace), Needs::kNothing},
      {"ompt_flush_trace", Erase(FlushTrace), Needs::kNothing},
      {"ompt_stop_trace", Erase(StopTrace), Needs::kNothing},
      {"ompt_advance_buffer_cursor", Erase(AdvanceCursor), Needs::kNothing},
      {"ompt_get_record_type", Erase(RecordType), Needs::kNothing},
      {"ompt_get_record_ompt", Erase(GetRecordOmpt), Needs::kOmpt},
      {"ompt_get_record_native", Erase(GetRecordNative), Needs::kNative},
      {"ompt_get_record_abstract", Erase(GetRecordAbstract), Needs::kNative},
  };
  const Options& options = GetOptions();
  for (const Entry& entry : kEntries) {
    if (strcmp(entry.name, name) != 0) continue;
    if (entry.needs == Needs::kOmpt && !options.traces_ompt) return nullptr;
    if (entry.needs == Needs::kNative && !options.traces_native) return nullptr;
    return entry.function;
  }
  return nullptr;
}

}  // namespace reference_device
