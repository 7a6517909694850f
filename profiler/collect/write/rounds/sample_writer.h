// Writes the threads' samples and stretches of waiting. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLE_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLE_WRITER_H_

#include <stdint.h>

#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/encoding/sample_batch.h"
#include "profiler/collect/write/files/profile_file.h"
#include "profiler/collect/write/rounds/sample_scale.h"
#include "profiler/collect/write/tables/context_table.h"

namespace ompprof::collect {

// In zeroed memory. Where a function returns false, the file does not take the records.
class SampleWriter {
 public:
  SampleWriter(ProfileFile* file, ContextTable* contexts) : file_(file), contexts_(contexts) {}

  // A round begins. `last`: no data follows.
  void BeginRound(bool last);

  // Writes the samples of `thread` up to `head`. `ended`: they are its last. Of a thread that has ended, and of every
  // thread in the last round, also writes what no sample has carried.
  bool Write(ThreadState* thread, uint64_t head, bool ended);

  // After the threads.
  bool EndRound() { return !last_ || WriteRest(); }

  // In the file.
  uint64_t samples() const { return samples_; }
  uint64_t weight() const { return weight_; }

 private:
  bool WriteSamples(ThreadState* thread, uint64_t head);
  bool WriteEnd(ThreadState* thread);
  void WriteTail(ThreadState* thread);
  void WriteCutIntervals(ThreadState* thread);
  bool WriteRest();
  void AddInterval(const Sample& interval);
  void EncodeBatch(const ThreadState& thread);

  ProfileFile* const file_;
  ContextTable* const contexts_;
  SampleBatch batch_;
  SampleScale scale_;
  bool last_;
  uint64_t samples_;
  uint64_t weight_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_SAMPLE_WRITER_H_
