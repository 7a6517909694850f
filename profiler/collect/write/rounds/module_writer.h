// Writes the loaded objects in which addresses of the profile lie, and the OpenMP runtimes among them. Writer thread
// only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_MODULE_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_MODULE_WRITER_H_

#include <stdint.h>

#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/write/files/profile_file.h"
#include "profiler/collect/write/tables/module_table.h"

namespace ompprof::collect {

// In zeroed memory. Where a function returns false, the file does not take the records.
class ModuleWriter {
 public:
  explicit ModuleWriter(ProfileFile* file) : file_(file) {}

  // Makes sure that the profile gets the object at `address`. NULL: no object lies there.
  Module* At(uintptr_t address);

  // Writes the runtimes that are new, and marks the objects of the program, of the runtimes and of the collector.
  void WriteRuntimes();

  // Writes the objects that are new or have changed.
  bool Write();

  // Looks for objects that have been unloaded. If there are any, writes them, and begins a new epoch.
  bool WriteUnloaded();

  ModuleTable table;

 private:
  void MarkOwn(uintptr_t code);

  ProfileFile* const file_;
  bool own_found_;
  bool runtime_written_[kMaxRuntimes];
  uint32_t runtime_objects_;  // objects of session.runtime_code that are marked already
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_MODULE_WRITER_H_
