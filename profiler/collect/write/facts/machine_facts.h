// The processors that this process may use, and the settings of its OpenMP runtime. Advice depends on both.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FACTS_MACHINE_FACTS_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FACTS_MACHINE_FACTS_H_

#include <stddef.h>
#include <stdint.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

struct MachineFacts {
  ProcessorSet may_use;      // at the process's start
  uint32_t cpu_quota_milli;  // processor time that the control groups allow, in thousandths of a processor; 0: no limit
};

// In a forked child, the quota is its parent's: it costs some files. Not in the handler.
MachineFacts ReadMachineFacts();

// The least quota of a control group and of all groups above it, below the folder `root` where the hierarchy is
// mounted. `group` is the group's path, "" or "/a/b". Version 2 (cpu.max), and version 1 (cpu.cfs_quota_us and
// cpu.cfs_period_us).
uint32_t CpuQuotaMilli(const char* root, const char* group);

// The largest size of the process's memory so far (VmHWM in /proc/self/status, proc(5)); 0: not known.
uint64_t PeakResidentBytes();

// Whether an environment entry "NAME=value" tunes an OpenMP runtime.
bool TunesOpenmp(const char* entry);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FACTS_MACHINE_FACTS_H_
