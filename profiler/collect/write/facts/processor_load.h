// The load of the processors that this process may use, from /proc/stat. Reports tell by it whether other programs kept
// the threads from running. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FACTS_PROCESSOR_LOAD_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FACTS_PROCESSOR_LOAD_H_

#include <stdint.h>

#include "profiler/collect/base/os.h"

namespace ompprof::collect {

// Time of several processors, added up.
struct ProcessorTimes {
  uint64_t busy_ns;    // in programs of all users and in the kernel
  uint64_t stolen_ns;  // in which the processors of a virtual machine had no processor themselves
  uint32_t online;     // the number of processors of the machine
};

// Reads the text of /proc/stat (proc_stat(5)). False: the text lacks one of the processors, or has no times.
bool ParseProcStat(const char* stat, const ProcessorSet& processors, ProcessorTimes* times);

class ProcessorLoad {
 public:
  // Notes where the counters stand now.
  void Begin();

  // The load since Begin.
  struct Reading {
    uint64_t until_mono_ns;
    uint64_t process_cpu_ns;  // of this process, the collector's own thread included
    ProcessorTimes times;
  };

  // False: nothing to write. On a machine with many processors /proc/stat is expensive, so readings are 10 s apart.
  // `last`: reads in any case.
  bool Read(bool last, Reading* reading);

 private:
  ProcessorSet processors_;
  ProcessorTimes begin_;
  uint64_t begin_process_cpu_ns_;
  uint64_t read_at_ns_;  // 0: the kernel does not tell
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FACTS_PROCESSOR_LOAD_H_
