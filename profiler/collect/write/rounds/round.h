// A round of the writer: writes everything new since the previous round to the file. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_ROUND_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_ROUND_H_

#include <stdint.h>

#include "profiler/collect/write/facts/program_facts.h"
#include "profiler/collect/write/files/profile_file.h"
#include "profiler/collect/write/generated/generated_code.h"
#include "profiler/collect/write/rounds/definition_writer.h"
#include "profiler/collect/write/rounds/device_writer.h"
#include "profiler/collect/write/rounds/module_writer.h"
#include "profiler/collect/write/rounds/sample_writer.h"
#include "profiler/collect/write/rounds/thread_writer.h"
#include "profiler/collect/write/rounds/totals_writer.h"
#include "profiler/collect/write/rounds/tree_writer.h"

namespace ompprof::collect {

// In zeroed memory.
struct RoundWriter {
  // Collects the facts of the process, once, before the thread exists.
  void Prepare();

  // Writes the new data. False: the file did not take the data. Then everything that fits in the rings is kept, and the
  // next round tries again. `last`: no data follows.
  bool Run(bool last);

  // Writes the last record.
  bool WriteFooter(const char* reason);

  ProgramFacts program;
  ProfileFile file;
  GeneratedCode generated{&file};
  ModuleWriter modules{&file};
  TreeWriter trees{&file, &modules, &generated};
  DefinitionWriter definitions{&file, &modules};
  SampleWriter samples{&file, &definitions.contexts};
  TotalsWriter totals{&file};
  ThreadWriter threads{&file, &modules, &trees, &samples, &totals};
  DeviceWriter devices{&file, &modules, &trees, &definitions.contexts};
  uint64_t cpu_before_ns;  // of the writing threads before the present one. Modulo 2^64, also less than 0
};

// Whether any thread has samples waiting.
bool AnythingSampled();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_ROUND_H_
