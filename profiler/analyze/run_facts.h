// What is true of a whole run, and of each of its processes and threads: who was recorded, on which machine, how it was
// sampled, what its OpenMP runtimes said about themselves. BuildView puts it into the View; `ompprof info` reads it off
// one process. Reports ask it, and nothing of the recorded form.
//
// Times called `mono` are CLOCK_MONOTONIC of the profiled machine, in nanoseconds.
#ifndef OMPPROF_PROFILER_ANALYZE_RUN_FACTS_H_
#define OMPPROF_PROFILER_ANALYZE_RUN_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ompprof::model {
struct ProcessProfile;
}  // namespace ompprof::model

namespace ompprof::analyze {

enum class ThreadKind {
  kUnknown,  // the OpenMP runtime does not know it, or there is none
  kInitial,
  kWorker,
  kOther,
  kMain,   // the first thread of a process without OMPT
  kNewer,  // a kind that this program does not know
};

// "initial", "worker", "other", "main", "unknown"; empty for kNewer.
const char* ThreadKindName(ThreadKind kind);

struct ThreadFacts {
  uint32_t id = 0;   // from 1, in order of appearance
  uint64_t tid = 0;  // the kernel's id
  std::string name;
  ThreadKind kind = ThreadKind::kUnknown;
  uint64_t start_mono_ns = 0;
  uint64_t end_mono_ns = 0;  // 0: not seen
  uint64_t lifetime_ns = 0;  // wall time from its start to its end, or to the profile's
  uint64_t cpu_ns = 0;       // by its clock
  bool sampled = false;
  uint32_t socket_moves = 0;  // between processor packages
  // Exact wall time of the outermost regions of more than one thread that it created; of this, the time with fewer than
  // all threads of the team busy.
  uint64_t regions_ns = 0;
  uint64_t partial_ns = 0;

  // An OpenMP thread, as far as the runtime said.
  bool is_openmp() const { return kind == ThreadKind::kInitial || kind == ThreadKind::kWorker; }
};

// How a process was sampled.
struct SamplingFacts {
  std::string clock;        // "cpu", "wall", or the name of a perf event
  std::string source;       // what delivers the samples: "cpu-timer", "perf:cycles", ...
  std::string weight_unit;  // of sampled weights: "nanoseconds", or "events" of a perf event that is no clock
  uint64_t period = 0;      // nominal distance between samples, in weight_unit
  uint32_t frequency = 0;   // samples a second that were asked for; 0: a period was asked for
  uint64_t tick_ns = 0;     // the kernel's tick
  std::string unwinder;     // "cfi", "fp", "libunwind"
  std::string task_context;
  bool no_waits = false;               // --waits=off
  bool timeline = false;               // --timeline
  uint32_t max_overhead_permille = 0;  // what events may cost, of the CPU time (--max-overhead); 0: each is observed

  bool weighs_ns() const { return weight_unit != "events"; }
};

struct MachineFacts {
  uint32_t cpus = 0;             // processors that the process may run on; 0: not known
  uint32_t cpu_quota_milli = 0;  // processor time that the control group allows, in thousandths of one; 0: no limit
  uint32_t sockets = 0;          // processor packages; 0: not known

  // Processors that the process can use at a time: its affinity mask, or its control group's limit if that is less.
  double usable_cpus() const;
};

// An OpenMP runtime with OMPT.
struct RuntimeFacts {
  struct Callback {
    std::string name;
    uint32_t event = 0;   // ompt_callbacks_t
    uint32_t result = 0;  // ompt_set_result_t
    uint64_t count = 0;   // how often it ran
  };
  std::string version;
  uint32_t omp_version = 0;  // 201611
  uint32_t module = 0;       // ModuleFacts::id, 0: not known
  std::vector<Callback> callbacks;
  std::vector<std::string> missing_entry_points;
};

struct ModuleFacts {
  uint32_t id = 0;
  std::string path;
  std::string build_id;  // bytes
  bool openmp_runtime = false;
  bool profilers_own = false;
  bool unloaded = false;
};

// A class of OMPT events whose full measurement would have cost more than the user agreed to.
struct GovernedFacts {
  uint32_t event_class = 0;  // EventClass of the profile's format
  uint64_t events = 0;
  uint64_t observed = 0;  // of these
};

// Samples that are in no stack.
struct LossFacts {
  uint32_t reason = 0;   // see LossName
  uint64_t samples = 0;  // threads, where LosesThreads
  uint64_t weight = 0;   // in SamplingFacts::weight_unit
};

// "tree full (--max-memory)"
const char* LossName(uint32_t reason);
// "LOST_TREE_FULL", the name in the profile's format; "LOST_99" for a reason that is newer than this program.
std::string LossCode(uint32_t reason);
// True of the reason that counts threads without a timer, and no samples.
bool LosesThreads(uint32_t reason);

// Waiting that no code is blamed for; exact, thread-time.
struct Unblamed {
  uint64_t nobody_working_ns = 0;  // all threads that could have ended it waited as well
  uint64_t lock_handoff_ns = 0;    // between a lock's release and the next holder's return
  uint64_t unsampled_ns = 0;       // owed by threads that no sample came for until they ended
};

// How much of everything the process's records have.
struct FileFacts {
  struct RecordKind {
    std::string name;  // "region stats"; "unknown" for a kind that is newer than this program
    uint64_t records = 0;
    uint64_t bytes = 0;
  };
  std::string collector_version;
  uint32_t format_version = 0;
  uint64_t trees = 0;  // of call paths
  uint64_t nodes = 0;  // of all trees
  uint64_t region_contexts = 0;
  std::vector<RecordKind> records;  // by number of the kind
  uint64_t bytes = 0;               // of all records
};

struct ProcessFacts {
  std::string file;  // the profile was read from here; of a merged file, with which of its processes this is
  std::string program;
  std::vector<std::string> argv;
  std::string host;
  uint64_t pid = 0;
  uint64_t parent_pid = 0;
  std::string rank;                   // of MPI; empty: none
  std::vector<std::string> settings;  // "NAME=value" of the environment variables that tune OpenMP
  SamplingFacts sampling;
  MachineFacts machine;
  FileFacts recorded;

  int64_t start_unix_ns = 0;  // CLOCK_REALTIME; 0: not known
  uint64_t start_mono_ns = 0;
  uint64_t duration_ns = 0;  // wall time to the profile's end, or as far as the file goes
  uint64_t cpu_ns = 0;       // by the process's clock, the collector's thread left out; without an end by its threads'
  uint64_t parallel_ns = 0;  // exact wall time with a region of more than one thread open, where the profile has an end
  uint64_t serial_ns = 0;    // and with none; both 0: not known
  bool complete = false;     // the profile has an end
  std::string end_reason;    // "exit", "exec", ...

  uint64_t samples = 0;          // that were read
  uint64_t weight = 0;           // of these, in SamplingFacts::weight_unit
  uint64_t samples_written = 0;  // as the profile's end says; 0: it does not
  std::vector<LossFacts> losses;

  std::vector<ThreadFacts> threads;  // by id
  std::vector<RuntimeFacts> runtimes;
  std::vector<ModuleFacts> modules;        // by id
  std::vector<GovernedFacts> governed;     // by class
  std::map<uint32_t, std::string> states;  // names that the runtimes gave to ompt_state_t's; see StateName
  uint64_t tasks_created = 0;              // exact
  Unblamed unblamed;

  std::vector<std::string> notes;  // of the collector, a sentence each; see NotesOf
  uint64_t labels_refused = 0;     // for want of room
  uint64_t intervals_lost = 0;     // stretches of waiting that the timeline lacks

  const ThreadFacts* FindThread(uint32_t id) const;

  // False if waits happened and were left out (--waits=off): nothing that comes of waits is known then.
  bool waits_known() const { return !sampling.no_waits || runtimes.empty(); }
};

// Reads the facts off a process's records.
ProcessFacts FactsOf(const model::ProcessProfile& profile);

// What limits the process's profile, a sentence each: the collector's notes, and what it was told to leave out.
std::vector<std::string> NotesOf(const ProcessFacts& process);

// Processes by number: ViewSample::process and its like are indexes. All count weights in one unit.
struct RunFacts {
  std::vector<ProcessFacts> processes;

  // What a report says of the run as a whole comes from its first process: program, command, clock.
  const ProcessFacts& first() const { return processes.front(); }
  const ProcessFacts& process(uint32_t number) const { return processes[number]; }
  bool empty() const { return processes.empty(); }
  bool several() const { return processes.size() > 1; }
  bool weighs_ns() const { return empty() || first().sampling.weighs_ns(); }

  // Of the process that took longest.
  uint64_t duration_ns() const;

  // Of the process that has most.
  double usable_cpus() const;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_RUN_FACTS_H_
