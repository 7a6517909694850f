// The loaded objects of sampled addresses. They are found by address and without the loader's lock, so the writer never
// waits for a program that is inside dlopen. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_TABLES_MODULE_TABLE_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_TABLES_MODULE_TABLE_H_

#include <limits.h>
#include <stdint.h>

#include "profiler/collect/write/tables/vector.h"

namespace ompprof::collect {

struct ModuleSegment {
  uint64_t vaddr;
  uint64_t memsz;
  uint64_t offset;
  uint32_t flags;
};

struct Module {
  static constexpr uint32_t kMaxSegments = 16;

  uint32_t id;    // from 1
  uintptr_t low;  // mapped [low, high)
  uintptr_t high;
  uintptr_t found_low;  // the part that the loader named; one segment, if the object has holes
  uintptr_t found_high;
  const void* link_map;
  uint64_t load_bias;
  uint32_t loaded_epoch;
  uint32_t unloaded_epoch;  // 0: loaded
  bool written;             // the file has the module's present state
  bool openmp_runtime;
  bool profilers_own;
  uint32_t segment_count;
  uint32_t build_id_size;
  ModuleSegment segments[kMaxSegments];
  uint8_t build_id[64];
  char path[PATH_MAX];
};

class ModuleTable {
 public:
  // `executable`: the program's path, which the loader does not keep; "": not known.
  void Init(const char* executable) { executable_ = executable; }
  bool knows_executable() const { return executable_[0] != '\0'; }

  // Makes sure that the object at `address` is known. NULL if no object lies there.
  Module* At(uintptr_t address, uint32_t epoch);

  // The object at `address` may be unloaded next. The table keeps it aside, for addresses that At is asked for after
  // the unload. 0: no object may be unloaded any more.
  void Expect(uintptr_t address);

  // Marks objects that are gone as unloaded from `next_epoch` on. True if there were any.
  bool Validate(uint32_t next_epoch);

  uint32_t size() const { return size_; }
  Module& entry(uint32_t index) { return *modules_[index]; }

 private:
  Module* Load(uintptr_t address, uint32_t epoch);
  bool Describe(uintptr_t address, Module* module) const;

  const char* executable_ = "";
  static constexpr uint32_t kMaxModules = 8192;
  Module* modules_[kMaxModules];  // the first size_ are set: a forked child need not touch the others
  uint32_t size_ = 0;
  Module* last_ = nullptr;
  Module expected_;  // low == high: none
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_TABLES_MODULE_TABLE_H_
