// Writes the threads: their facts, their samples, and their sums for each region, construct and kind of wait. Writer
// thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_THREAD_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_THREAD_WRITER_H_

#include <stdint.h>

#include "profiler/collect/write/rounds/sample_writer.h"
#include "profiler/collect/write/rounds/totals_writer.h"
#include "profiler/collect/write/rounds/tree_writer.h"

namespace ompprof::collect {

// In zeroed memory.
class ThreadWriter {
 public:
  ThreadWriter(ProfileFile* file, ModuleWriter* modules, TreeWriter* trees, SampleWriter* samples, TotalsWriter* totals)
      : file_(file), modules_(modules), trees_(trees), samples_(samples), totals_(totals) {}

  // Writes what the threads have added. `last`: no data follows. False: the file does not take it.
  bool Write(bool last);

  // After a round that wrote nothing: drops all threads that have ended except the newest `keep`, and counts their data
  // as lost. Otherwise, a program with short threads would take unlimited memory.
  void DiscardEnded(uint32_t keep);

 private:
  bool WriteThread(ThreadState* thread, bool last);
  bool WriteCounts(ThreadState* thread);
  template <typename Table, typename Stamp, typename Encode>
  bool WriteChanged(Table* table, Stamp stamp, Encode encode);

  ProfileFile* const file_;
  ModuleWriter* const modules_;
  TreeWriter* const trees_;
  SampleWriter* const samples_;
  TotalsWriter* const totals_;
  uint32_t names_read_;  // in this round
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_THREAD_WRITER_H_
