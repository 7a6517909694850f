// The profile of one process as the collector recorded it: addresses and ids, nothing interpreted. The profile reader
// fills it; the symbolizer and the analyses read it.
//
// The reader has checked only these points: a node's parent is in the same tree and has a smaller id; no id of a
// module, region context or thread is 0. A record may refer to records that are missing (a sample's node, thread or
// contexts): use the functions that look things up.
#ifndef OMPPROF_PROFILER_MODEL_PROCESS_PROFILE_H_
#define OMPPROF_PROFILER_MODEL_PROCESS_PROFILE_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/model/cost.h"
#include "profiler/model/time_bins.h"
#include "proto/callpath_profile.pb.h"
#include "proto/ompt_state.h"

namespace ompprof::model {

// A node of a calling-context tree; see NodeBatch.
struct Node {
  uint64_t value;
  uint32_t parent;        // 0: none
  uint8_t kind;           // NodeKind
  bool runtime;           // NODE_RUNTIME
  bool return_address;    // NODE_RETURN_ADDRESS
  bool in_implicit_task;  // this node or a node above it is a NODE_IMPLICIT_TASK
};

// Nodes by id - 1.
struct Tree {
  std::vector<Node> nodes;

  // The node with this id, or null.
  const Node* Find(uint32_t id) const { return id >= 1 && id <= nodes.size() ? &nodes[id - 1] : nullptr; }
};

// The cost of one combination of place, thread and OpenMP state; see SampleBatch.
struct SampleRow {
  uint32_t tree;
  uint32_t node;
  uint32_t thread;
  OmptState state = OmptState::kNone;
  uint32_t splice;
  uint32_t region;
  uint64_t wait_id;
  Cost cost;              // see SampleBatch
  uint32_t phase = 0;     // Label.id
  bool interval = false;  // only stretches of waiting in the timeline refer to this row; its cost is 0
};

// The state of a wait; kNone if the record has none.
OmptState StateOf(const WaitStats& wait);

// The end of a sample or of a stretch of waiting, in the timeline; see SampleBatch.timed_row.
struct TimedRow {
  uint32_t row;     // index into ProcessProfile::samples
  uint64_t end_ns;  // since the profile's start, to the microsecond
  uint64_t weight;  // of a stretch: nanoseconds
};

// An operation in the timeline of devices; see DeviceOperations.
struct DeviceOperation {
  uint32_t stats;     // DeviceStats.id; the profile may lack it
  uint32_t thread;    // Thread.id; 0: a kernel from the device's trace
  uint64_t begin_ns;  // since the profile's start
  uint64_t duration_ns;
  uint64_t bytes;
};

// The share of a log that belongs to records of one kind.
struct RecordCount {
  uint64_t records = 0;
  uint64_t bytes = 0;  // their lengths included
};

// A copy of a jitdump; see CodeDump.
struct JitDump {
  std::string path;
  std::string content;
};

struct ProcessProfile {
  std::string file;                    // the file that was read; of a merged file, also which of its processes this is
  std::map<int, RecordCount> records;  // by Record::KindCase
  Header header;
  std::map<uint32_t, Module> modules;
  std::map<uint32_t, Thread> threads;
  std::unordered_map<uint32_t, Tree> trees;
  std::vector<SampleRow> samples;  // no two differ only in their counts
  std::vector<TimedRow> timed;     // of each thread roughly in the order of time
  uint64_t timed_piece_ns = 0;     // entries stand for a row's time in pieces of this length; 0: as recorded
  TimeBins time_bins;              // the same, by pieces of time
  std::unordered_map<uint32_t, RegionContext> contexts;
  std::map<uint32_t, RegionRuns> region_runs;  // by RegionContext.id, added up
  std::vector<RegionStats> regions;
  std::vector<WaitStats> waits;
  std::vector<WorkStats> works;
  std::map<uint32_t, Device> devices;  // by Device.id
  std::vector<DeviceStats> device_stats;
  std::vector<DeviceOperation> device_operations;
  uint64_t misplaced_operations = 0;       // operations that were left out, because they lie outside of any run's time
  std::map<uint32_t, Label> labels;        // by Label.id
  std::map<uint32_t, LockInit> locks;      // by LockInit.id
  std::map<uint32_t, Governed> governed;   // by EventClass
  ProcessorLoad load;                      // until_mono_ns 0: not known
  Topology topology;                       // without processors: not known
  std::vector<Runtime> runtimes;           // those with OMPT; a process with libomp and libgomp has two
  std::string code_map;                    // the text of the perf map; see CodeMap
  std::map<uint32_t, JitDump> code_dumps;  // by CodeDump.file
  Lost lost;
  std::vector<std::string> notes;
  std::vector<MemberBatch> members;  // of a unified process
  std::vector<SpreadBatch> spreads;
  std::map<uint32_t, uint64_t> event_counts;  // by ompt_callbacks_t
  bool complete = false;                      // a footer was read
  Footer footer;
  uint64_t last_mono_ns = 0;  // the youngest time in the file

  const Node* FindNode(uint32_t tree, uint32_t node) const;
  const RegionContext* FindContext(uint32_t id) const;

  // The module epoch of a path: the value of the NODE_ROOT above `node`; 0 if there is none.
  uint32_t Epoch(uint32_t tree, uint32_t node) const;

  // The time from the profile's start to its end, or to the end of the file.
  uint64_t DurationNs() const;

  // Sorts the rows by their keys, and adds equal rows together. References to rows follow.
  void SortSamples();
};

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_PROCESS_PROFILE_H_
