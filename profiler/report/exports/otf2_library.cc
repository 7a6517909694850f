#include "profiler/report/exports/otf2_library.h"

#include <dlfcn.h>

#include <string>

namespace ompprof::report {
namespace {

// Version 10 of the library's interface is that of OTF2 3. Debian gives the library another name than its authors.
constexpr const char* kNames[] = {"libopen-trace-format2.so.10", "libotf2.so.10"};

template <typename Function>
bool Find(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  return *function != nullptr;
}

bool FindWriters(void* handle, Otf2Library* library) {
  return Find(handle, "OTF2_EvtWriter_Enter", &library->enter) &&
         Find(handle, "OTF2_EvtWriter_Leave", &library->leave) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteClockProperties", &library->write_clock) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteString", &library->write_string) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteSystemTreeNode", &library->write_node) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteLocationGroup", &library->write_group) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteLocation", &library->write_location) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteParadigm", &library->write_paradigm) &&
         Find(handle, "OTF2_GlobalDefWriter_WriteRegion", &library->write_region);
}

bool FindArchive(void* handle, Otf2Library* library) {
  return Find(handle, "OTF2_Error_RegisterCallback", &library->register_error_callback) &&
         Find(handle, "OTF2_Error_GetDescription", &library->error_description) &&
         Find(handle, "OTF2_Archive_Open", &library->open) && Find(handle, "OTF2_Archive_Close", &library->close) &&
         Find(handle, "OTF2_Archive_SetFlushCallbacks", &library->set_flush_callbacks) &&
         Find(handle, "OTF2_Archive_SetSerialCollectiveCallbacks", &library->set_serial) &&
         Find(handle, "OTF2_Archive_SetCreator", &library->set_creator) &&
         Find(handle, "OTF2_Archive_OpenEvtFiles", &library->open_events) &&
         Find(handle, "OTF2_Archive_CloseEvtFiles", &library->close_events) &&
         Find(handle, "OTF2_Archive_OpenDefFiles", &library->open_definitions) &&
         Find(handle, "OTF2_Archive_CloseDefFiles", &library->close_definitions) &&
         Find(handle, "OTF2_Archive_GetEvtWriter", &library->event_writer) &&
         Find(handle, "OTF2_Archive_CloseEvtWriter", &library->close_event_writer) &&
         Find(handle, "OTF2_Archive_GetDefWriter", &library->definition_writer) &&
         Find(handle, "OTF2_Archive_CloseDefWriter", &library->close_definition_writer) &&
         Find(handle, "OTF2_Archive_GetGlobalDefWriter", &library->global_writer);
}

}  // namespace

model::Status LoadOtf2(Otf2Library* library) {
  void* handle = nullptr;
  for (const char* name : kNames) {
    if (handle == nullptr) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == nullptr) {
    return model::Status(std::string("OTF2's library ") + kNames[0] + " or " + kNames[1] +
                         " is not installed (Debian's package libopen-trace-format2-10)");
  }
  if (FindArchive(handle, library) && FindWriters(handle, library)) return {};
  return model::Status("OTF2's library lacks a function of OTF2 3.0");
}

}  // namespace ompprof::report
