// A function for each kind of record of callpath_profile.proto. It turns the collector's structures into bytes, and
// appends a whole record with its length to the encoder. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_RECORDS_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_RECORDS_H_

#include <stdint.h>

#include "profiler/collect/base/label_table.h"
#include "profiler/collect/base/notes.h"
#include "profiler/collect/devices/device_table.h"
#include "profiler/collect/devices/device_timeline.h"
#include "profiler/collect/locks/lock_origins.h"
#include "profiler/collect/ompt/runtime_facts.h"
#include "profiler/collect/tasks/region_stats.h"
#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/encoding/encoder.h"
#include "profiler/collect/write/encoding/sample_batch.h"
#include "profiler/collect/write/facts/processor_load.h"
#include "profiler/collect/write/facts/program_facts.h"
#include "profiler/collect/write/facts/topology.h"
#include "profiler/collect/write/tables/context_table.h"
#include "profiler/collect/write/tables/module_table.h"

namespace ompprof::collect {

struct LostTotals {
  uint64_t samples[fields::kLostReasonCount];
  uint64_t weight[fields::kLostReasonCount];
};

struct FooterFacts {
  const char* reason;
  uint64_t samples;
  uint64_t weight;
  uint64_t helper_cpu_ns;
  uint64_t blame_due_ns;     // blame of live threads for which no sample came
  uint64_t lock_handoff_ns;  // of live threads
  uint64_t intervals_lost;
  uint64_t labels_refused;
  uint64_t signals_ns;
  uint64_t peak_resident_bytes;
};

inline constexpr uint32_t kMaxNodesPerBatch = 4096;
inline constexpr uint32_t kMaxOperationsPerBatch = 2048;

// Each record needs at most this much room; EncodeHeader cuts very long command lines.
inline constexpr size_t kMaxRecordBytes = 128 << 10;
inline constexpr size_t kMaxCodeTextBytes = 64 << 10;

void EncodeHeader(const ProgramFacts& program, Encoder* out);
void EncodeModule(const Module& module, Encoder* out);
// The second number of a thread's schedstat file, "RUN_NS RUN_DELAY_NS TIMESLICES" (Linux, Documentation/scheduler/
// sched-stats.rst). False if the text has another form.
bool ParseRunDelay(const char* schedstat, uint64_t* run_delay_ns);

// Also brings the CPU time of a live thread up to date, and its time without a processor.
void EncodeThread(ThreadState* thread, Encoder* out);
// Nodes first .. first + count - 1 of `tree`, count <= kMaxNodesPerBatch.
void EncodeNodes(const Tree& tree, uint32_t first, uint32_t count, Encoder* out);
void EncodeSamples(const SampleBatch& batch, uint32_t tree, uint32_t thread, uint64_t end_ns, Encoder* out);
void EncodeContext(const ContextDefinition& context, Encoder* out);
void EncodeRegionRuns(const ContextRuns& runs, Encoder* out);
void EncodeRegionStats(const RegionCounts& counts, uint32_t thread, Encoder* out);
void EncodeWaitStats(const WaitCounts& counts, uint32_t thread, double scale, Encoder* out);
void EncodeDevice(const KnownDevice& device, uint32_t id, Encoder* out);
// `id`: DeviceStats.id. `splice`: RegionContext.id.
void EncodeDeviceStats(const DeviceCounts& counts, uint32_t id, uint32_t splice, Encoder* out);
// count <= kMaxOperationsPerBatch; all of one thread.
void EncodeDeviceOperations(const TimedOperation* const* operations, uint32_t count, Encoder* out);
void EncodeWorkStats(const WorkCounts& counts, uint32_t thread, Encoder* out);
// `splice`: RegionContext.id.
void EncodeLockInit(const LockOrigin& lock, uint32_t id, uint32_t splice, Encoder* out);
void EncodeLabel(const Label& label, uint32_t id, Encoder* out);
void EncodeRuntime(const RuntimeFacts& facts, uint32_t module, Encoder* out);
void EncodeGoverned(uint32_t event_class, uint64_t events, uint64_t unobserved, Encoder* out);
void EncodeProcessorLoad(const ProcessorLoad::Reading& reading, Encoder* out);
void EncodeTopology(const Topology& topology, Encoder* out);
void EncodeLost(const LostTotals& lost, Encoder* out);
// At most kMaxCodeTextBytes. `path`: only with the first piece of a file, otherwise "".
void EncodeCodeMap(const char* text, size_t size, Encoder* out);
void EncodeCodeDump(uint32_t file, const char* path, const void* content, size_t size, Encoder* out);
void EncodeNote(const Note& note, Encoder* out);
void EncodeEvents(const uint64_t* counts, Encoder* out);
void EncodeFooter(const FooterFacts& facts, Encoder* out);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ENCODING_RECORDS_H_
