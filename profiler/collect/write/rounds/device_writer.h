// Writes what the host asked of its devices. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_DEVICE_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_DEVICE_WRITER_H_

#include <stdint.h>

#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/write/encoding/records.h"
#include "profiler/collect/write/rounds/tree_writer.h"
#include "profiler/collect/write/tables/context_table.h"

namespace ompprof::collect {

// In zeroed memory.
class DeviceWriter {
 public:
  DeviceWriter(ProfileFile* file, ModuleWriter* modules, TreeWriter* trees, ContextTable* contexts)
      : file_(file), modules_(modules), trees_(trees), contexts_(contexts) {}

  // Writes the devices that have appeared, the sums for each device and construct that have changed, and the operations
  // for the timeline. False: the file does not take them.
  bool Write();

 private:
  bool WriteStats();
  bool WriteOperations();

  ProfileFile* const file_;
  ModuleWriter* const modules_;
  TreeWriter* const trees_;
  ContextTable* const contexts_;
  // The operations that were taken from device_timeline and are not in the file. Those with `stats` 0 are.
  TimedOperation operations_[kMaxOperationsPerBatch];
  uint32_t operation_count_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_DEVICE_WRITER_H_
