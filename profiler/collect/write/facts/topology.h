// The processors of the machine: which of them are one core, one package, one NUMA node. From sysfs (Linux,
// Documentation/admin-guide/cputopology.rst). Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FACTS_TOPOLOGY_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FACTS_TOPOLOGY_H_

#include <stdint.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

struct Topology {
  struct Processor {
    uint16_t number;
    uint16_t package;
    uint16_t core;  // the lowest number of a processor of the same core
    uint16_t node;  // 0 if the kernel does not tell
  };
  uint32_t count;  // 0: not known
  Processor processors[ProcessorSet::kMost];
};

// Reads the list "0-3,8,10-11" of processors or nodes; numbers that a ProcessorSet does not hold are left out.
ProcessorSet ParseList(const char* text);

// The processors that are online, by number. `root`: the folder in which /sys is; "" for the machine's own. Two files
// for each processor.
void ReadTopology(const char* root, Topology* topology);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FACTS_TOPOLOGY_H_
