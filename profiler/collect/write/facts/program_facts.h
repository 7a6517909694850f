// Facts of the program for the profile's header and for the profile's name.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FACTS_PROGRAM_FACTS_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FACTS_PROGRAM_FACTS_H_

#include <limits.h>
#include <stddef.h>

#include "profiler/collect/write/facts/machine_facts.h"

namespace ompprof::collect {

struct ProgramFacts {
  char executable[PATH_MAX];  // "": not known
  char directory[PATH_MAX];   // the working directory at the start
  char run_folder[PATH_MAX];  // that of `record`; "" if the user did not use it
  char host[256];
  char run[256];        // the name of the run; "" if the user gave none
  char argv[32 << 10];  // arguments, each with its terminating zero
  size_t argv_size;
  char settings[8 << 10];  // environment entries that tune an OpenMP runtime, each with its terminating zero
  size_t settings_size;
  MachineFacts machine;

  // Collects the facts, once. Not in the writer thread, because the program may change its environment at the same
  // time.
  void Collect();
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FACTS_PROGRAM_FACTS_H_
