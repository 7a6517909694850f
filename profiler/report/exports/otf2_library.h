// The functions of libotf2 that the exporter calls, found when they are needed. otf2.cc uses it.
#ifndef OMPPROF_PROFILER_REPORT_EXPORTS_OTF2_LIBRARY_H_
#define OMPPROF_PROFILER_REPORT_EXPORTS_OTF2_LIBRARY_H_

#include <otf2/otf2.h>

#include "profiler/model/status.h"

namespace ompprof::report {

struct Otf2Library {
  decltype(&OTF2_Error_RegisterCallback) register_error_callback;
  decltype(&OTF2_Error_GetDescription) error_description;
  decltype(&OTF2_Archive_Open) open;
  decltype(&OTF2_Archive_Close) close;
  decltype(&OTF2_Archive_SetFlushCallbacks) set_flush_callbacks;
  decltype(&OTF2_Archive_SetSerialCollectiveCallbacks) set_serial;
  decltype(&OTF2_Archive_SetCreator) set_creator;
  decltype(&OTF2_Archive_OpenEvtFiles) open_events;
  decltype(&OTF2_Archive_CloseEvtFiles) close_events;
  decltype(&OTF2_Archive_OpenDefFiles) open_definitions;
  decltype(&OTF2_Archive_CloseDefFiles) close_definitions;
  decltype(&OTF2_Archive_GetEvtWriter) event_writer;
  decltype(&OTF2_Archive_CloseEvtWriter) close_event_writer;
  decltype(&OTF2_Archive_GetDefWriter) definition_writer;
  decltype(&OTF2_Archive_CloseDefWriter) close_definition_writer;
  decltype(&OTF2_Archive_GetGlobalDefWriter) global_writer;
  decltype(&OTF2_EvtWriter_Enter) enter;
  decltype(&OTF2_EvtWriter_Leave) leave;
  decltype(&OTF2_GlobalDefWriter_WriteClockProperties) write_clock;
  decltype(&OTF2_GlobalDefWriter_WriteString) write_string;
  decltype(&OTF2_GlobalDefWriter_WriteSystemTreeNode) write_node;
  decltype(&OTF2_GlobalDefWriter_WriteLocationGroup) write_group;
  decltype(&OTF2_GlobalDefWriter_WriteLocation) write_location;
  decltype(&OTF2_GlobalDefWriter_WriteParadigm) write_paradigm;
  decltype(&OTF2_GlobalDefWriter_WriteRegion) write_region;
};

// Finds the library and its functions. The sentence of a failure says which package has it.
model::Status LoadOtf2(Otf2Library* library);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_EXPORTS_OTF2_LIBRARY_H_
