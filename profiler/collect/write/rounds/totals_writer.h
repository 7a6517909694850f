// Writes the sums over all threads (lost samples, OMPT events, events that the governor left out), the machine's load,
// and notes. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_TOTALS_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_TOTALS_WRITER_H_

#include <stdint.h>

#include "profiler/collect/blame/governor.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/encoding/records.h"
#include "profiler/collect/write/facts/processor_load.h"
#include "profiler/collect/write/files/profile_file.h"
#include "profiler/collect/write/rounds/sampling_notes.h"

namespace ompprof::collect {

struct ThreadTotals {
  LostTotals lost;
  uint64_t events[kOmptEvents];
  GovernedTotals governed;
  CutSamples cut;
  uint64_t intervals_lost;

  void Add(const ThreadState& thread);
};

// In zeroed memory.
class TotalsWriter {
 public:
  explicit TotalsWriter(ProfileFile* file) : file_(file) {}

  // The process begins.
  void Begin() { load_.Begin(); }

  // The thread has ended, and everything else of it is written or lost. Its state may serve another thread afterwards.
  void Drain(ThreadState* thread);

  // A sample that waited in the ring of a discarded thread.
  void AddUnwritten(const Sample& sample);
  // Likewise, CPU time that no sample has carried.
  void AddUnwritten(uint64_t weight) { gone_.lost.weight[fields::kLostWrite] += weight; }

  // Of all threads, at present.
  ThreadTotals Now() const;

  // Writes the sums that have changed and the new notes. `last`: no data follows; makes the notes about the sums.
  // False: the file does not take them.
  bool Write(bool last);

 private:
  void WriteGoverned(const GovernedTotals& now);
  void WriteTopology();
  void AddNotes(const CutSamples& cut);

  ProfileFile* const file_;
  ThreadTotals gone_;  // of drained threads
  MaskedTime masked_;  // likewise
  ProcessorLoad load_;
  // At the last write.
  LostTotals lost_written_;
  uint64_t events_written_;                              // their sum
  uint64_t governed_written_[fields::kEventClassCount];  // events
  uint32_t notes_written_;
  bool topology_written_;
  bool noted_;  // the notes about the sums are made
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_TOTALS_WRITER_H_
