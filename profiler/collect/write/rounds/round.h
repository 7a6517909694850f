// A round of the writer: writes everything new since the previous round to the file. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_ROUND_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_ROUND_H_

#include <limits.h>
#include <stdint.h>

#include "profiler/collect/base/label_table.h"
#include "profiler/collect/blame/governor.h"
#include "profiler/collect/tasks/entry_points.h"
#include "profiler/collect/write/encoding/encoder.h"
#include "profiler/collect/write/encoding/records.h"
#include "profiler/collect/write/encoding/sample_batch.h"
#include "profiler/collect/write/facts/processor_load.h"
#include "profiler/collect/write/files/log_file.h"
#include "profiler/collect/write/files/staged_file.h"
#include "profiler/collect/write/generated/jit_dump.h"
#include "profiler/collect/write/generated/perf_map.h"
#include "profiler/collect/write/rounds/cut_samples.h"
#include "profiler/collect/write/rounds/sample_scale.h"
#include "profiler/collect/write/rounds/sampling_notes.h"
#include "profiler/collect/write/tables/context_table.h"
#include "profiler/collect/write/tables/module_table.h"
#include "profiler/collect/write/tables/vector.h"

namespace ompprof::collect {

struct RoundWriter {
  static constexpr size_t kBufferBytes = 512 << 10;

  uint8_t buffer[kBufferBytes];
  Encoder out{buffer, kBufferBytes};
  LogFile file;
  StagedFile staged;
  ModuleTable modules;
  PerfMap perf_map;
  JitDumps jit_dumps;
  char code_text[kMaxCodeTextBytes];
  bool new_generated_code;  // since the previous round, a path with an address in no object has come
  bool any_generated_code;  // likewise, since the start
  bool own_descriptors;     // the thread has left the program's table
  ContextTable contexts;
  SampleBatch batch;
  SampleScale scale;
  struct Retired {
    RegionRecord* record;
    RegionPool* pool;
  };
  Vector<Retired> retired;
  Vector<TreeSlot*> left_behind;  // trees of discarded threads, with nodes that regions may refer to
  uint64_t round;
  uint32_t names_read;  // in this round
  bool own_modules_found;
  bool runtime_written[kMaxRuntimes];
  uint32_t runtime_modules;  // modules of session.runtime_code that are marked already
  uint32_t notes_written;
  uint32_t locks_written;   // number of locks of lock_origins
  uint32_t labels_written;  // number of labels of `labels`
  bool label_written[LabelTable::kMaxLabels];
  uint32_t contexts_written;  // number of contexts of contexts.fresh()
  LostTotals lost;            // of threads that are gone
  LostTotals lost_written;
  uint64_t events[kOmptEvents];                         // of threads that are gone
  uint64_t events_written;                              // their sum at the last write
  GovernedTotals governed;                              // of threads that are gone
  uint64_t governed_written[fields::kEventClassCount];  // events at the last write
  CutSamples cut;                                       // of threads that are gone
  MaskedTime masked;                                    // likewise
  bool cut_noted;
  uint64_t samples;  // in the file
  uint64_t weight;
  uint64_t intervals_lost;  // of threads that are gone
  // The devices' operations that were taken from device_timeline and are not in the file. Those with `stats` 0 are.
  TimedOperation operations[kMaxOperationsPerBatch];
  uint32_t operation_count;
  uint64_t cpu_before_ns;  // of the writing threads before the present one. Modulo 2^64, also less than 0
  int write_error;         // of the last attempt: 0 or -errno
  char path[PATH_MAX];
  bool renamed;     // the requested name was taken, maybe by another run
  int stage_error;  // an error number: the profile cannot grow in the folder of --stage
  char executable[PATH_MAX];
  char directory[PATH_MAX];   // the working directory at the start
  char run_folder[PATH_MAX];  // that of `record`; "" if the user did not use it
  char host[256];
  char run[256];  // the name of the run; "" if the user gave none
  char argv[32 << 10];
  size_t argv_size;
  MachineFacts machine;
  ProcessorLoad load;
  char settings[8 << 10];  // environment entries, each with its terminating zero
  size_t settings_size;

  // Collects the facts of the process, once, before the thread exists.
  void Prepare();

  // Opens the file under a free name. False: `error` holds a sentence.
  bool OpenFile(char* error, size_t size);
  // A name that is no path from the root begins at `folder`.
  bool OpenFileBelow(const char* folder, char* error, size_t size);
  // With --stage: lets the opened file grow elsewhere.
  void StageFile();

  // Writes the new data. False: the file did not take the data. Then everything that fits in the rings is kept, and the
  // next round tries again. `last`: no data follows.
  bool Run(bool last);

  // After a round that wrote nothing: drops all threads that have ended except the newest `keep`, and counts their data
  // as lost. Otherwise, a program with short threads would take unlimited memory.
  void DiscardEnded(uint32_t keep);

  // Writes the last record.
  bool WriteFooter(const char* reason);

  // Called when the writer thread begins. `own`: its descriptors are in a table of its own.
  void BeginDescriptors(bool own);

  // Whether any thread has samples waiting.
  bool AnythingSampled() const;

 private:
  bool MakeRoom();
  bool FlushBuffer();
  void WriteOnce();
  bool WriteNodes();
  bool WriteTree(TreeSlot* slot);
  bool WriteSamples(ThreadState* thread, uint64_t head);
  void WriteTail(ThreadState* thread);
  bool WriteRest();
  void AddInterval(const Sample& interval);
  void WriteCutIntervals(ThreadState* thread);
  bool WriteThreads(bool last);
  bool WriteThread(ThreadState* thread, bool last);
  bool WriteEnd(ThreadState* thread);
  template <typename Table, typename Stamp, typename Encode>
  bool WriteChanged(Table* table, Stamp stamp, Encode encode);
  bool WriteCounts(ThreadState* thread);
  void Drain(ThreadState* thread);
  bool WriteModules();
  bool WriteGenerated(bool last);
  bool WriteCodeMap(bool last);
  bool WriteCodeDumps(bool last);
  bool WriteLocks();
  bool WriteDevices();
  bool WriteDeviceStats();
  bool WriteDeviceOperations();
  bool WriteLabels();
  bool WriteContexts();
  bool WriteTotals(bool last);
  void WriteGoverned();
  void ScaleBlame();
  void CollectRetired();
  void ReleaseRetired();
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_ROUND_H_
