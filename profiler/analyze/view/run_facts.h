// The facts of a run, its processes and its threads: programs, machines, sampling, OpenMP runtimes. BuildView puts them
// into the View; `ompprof info` reads them off one process. Reports use these facts instead of the recorded form.
//
// Times called `mono` are CLOCK_MONOTONIC of the profiled machine, in nanoseconds.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_RUN_FACTS_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_RUN_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ompprof::model {
struct ProcessProfile;
}  // namespace ompprof::model

namespace ompprof::analyze {

enum class ThreadKind {
  kUnknown,  // the OpenMP runtime does not know the thread, or there is no runtime
  kInitial,
  kWorker,
  kOther,
  kMain,   // the first thread of a process without OMPT
  kNewer,  // a kind from a newer profile, unknown to this program
};

// "initial", "worker", "other", "main", "unknown"; empty for kNewer.
const char* ThreadKindName(ThreadKind kind);

using ProcessorNumbers = std::set<uint32_t>;

// Where a thread ran.
struct PlacementFacts {
  struct Visit {
    uint32_t processor = 0;
    uint64_t weight = 0;  // of samples there
  };
  std::vector<Visit> ran_on;      // by weight, descending; at most the eight processors that the thread came to first
  uint64_t elsewhere_weight = 0;  // of samples on further processors
  uint64_t moves = 0;             // samples on another processor than the thread's sample before
  ProcessorNumbers may_use;       // the affinity mask, as last seen; empty: not known
};

struct ThreadFacts {
  uint32_t id = 0;   // from 1, in order of appearance
  uint64_t tid = 0;  // the kernel's id
  std::string name;
  ThreadKind kind = ThreadKind::kUnknown;
  uint64_t start_mono_ns = 0;
  uint64_t end_mono_ns = 0;  // 0: not seen
  uint64_t lifetime_ns = 0;  // wall time from the thread's start to its end, or to the profile's end
  uint64_t cpu_ns = 0;       // from the thread's clock
  // Wall time in which the thread could run but had no processor, waits included, and the part of the lifetime that
  // this count covers, from the thread's start. Both 0: the kernel does not tell, or the thread ended before the
  // collector looked.
  uint64_t ready_ns = 0;
  uint64_t ready_of_ns = 0;
  bool sampled = false;
  PlacementFacts placement;
  uint64_t minor_faults = 0;  // page faults that needed no disk; major_faults: the others
  uint64_t major_faults = 0;
  uint64_t kernel_ns = 0;  // CPU time in the kernel
  // Exact wall time of the outermost regions that the thread created, if they have more than one thread. Of this, the
  // time with fewer than all threads of the team busy.
  uint64_t regions_ns = 0;
  uint64_t partial_ns = 0;

  // Whether the runtime told of this thread.
  bool is_openmp() const { return kind == ThreadKind::kInitial || kind == ThreadKind::kWorker; }
};

// The settings with which a process was sampled.
struct SamplingFacts {
  std::string clock;        // "cpu", "wall", or the name of a perf event
  std::string source;       // the source of the samples: "cpu-timer", "perf:cycles", ...
  std::string weight_unit;  // of sampled weights: "nanoseconds", or "events" for a perf event that is no clock
  uint64_t period = 0;      // nominal distance between samples, in weight_unit
  uint32_t frequency = 0;   // the requested samples per second; 0: a period was requested
  uint64_t tick_ns = 0;     // the kernel's tick
  std::string unwinder;     // "cfi", "fp", "libunwind"
  std::string task_context;
  bool no_waits = false;  // --waits=off
  bool timeline = false;  // --timeline
  bool paused = false;    // --paused: the program starts the sampling
  uint64_t delay_ns = 0;  // --delay: from the start of the program to the start of sampling
  uint32_t max_overhead_permille =
      0;  // the share of CPU time that events may cost (--max-overhead); 0: each event is observed

  bool weighs_ns() const { return weight_unit != "events"; }
};

struct Processor {
  uint32_t package = 0;
  uint32_t node = 0;  // NUMA node
  uint32_t core = 0;  // the lowest number of a processor of the same core
};

// How many parts of a machine there are; 0: not known.
struct Layout {
  size_t cores = 0;
  size_t sockets = 0;  // processor packages
  size_t nodes = 0;    // NUMA nodes
};

struct MachineFacts {
  uint32_t cpus = 0;             // processors that the process may run on; 0: not known
  ProcessorNumbers may_use;      // their numbers
  uint32_t cpu_quota_milli = 0;  // the control group's limit of processor time, in thousandths of a processor; 0: no
                                 // limit
  std::map<uint32_t, Processor> processors;  // of the machine, by number; empty: not known

  // The load of the processors that the process may run on, from its start to near its end, added up over processors.
  uint32_t online_cpus = 0;       // processors of the machine; 0: neither this nor the load is known
  uint64_t load_duration_ns = 0;  // wall time that the load covers
  uint64_t busy_ns = 0;           // of all programs and the kernel, this process included
  uint64_t stolen_ns = 0;         // given to others by the host of a virtual machine
  uint64_t process_cpu_ns = 0;    // of this process in that time

  // Processors that the process can use at a time: by its affinity mask, or by its control group's limit if lower.
  double usable_cpus() const;

  // The processors that the process may use, as parts of the machine.
  Layout layout() const;
};

// An OpenMP runtime with OMPT.
struct RuntimeFacts {
  struct Callback {
    std::string name;
    uint32_t event = 0;   // ompt_callbacks_t
    uint32_t result = 0;  // ompt_set_result_t
    uint64_t count = 0;   // how often the callback ran
  };
  std::string version;
  uint32_t omp_version = 0;     // 201611
  std::string ompt_generation;  // of OMPT: "tr2", "draft", "tr6", "5.x"; empty: not known
  uint32_t module = 0;          // ModuleFacts::id, 0: not known
  std::vector<Callback> callbacks;
  std::vector<std::string> missing_entry_points;
};

// The kinds of events that the runtime does not report, by its answers to registration: "locks and critical sections".
std::vector<std::string> UntoldEvents(const RuntimeFacts& runtime);
inline constexpr char kLockEvents[] = "locks and critical sections";

// "tr6 201611": the generation of the runtime's OMPT, and the version of OpenMP that it passes to tools.
std::string OmptVersion(const RuntimeFacts& runtime);

struct ModuleFacts {
  uint32_t id = 0;
  std::string path;
  std::string build_id;  // bytes
  bool openmp_runtime = false;
  bool profilers_own = false;
  bool unloaded = false;
};

// A class of OMPT events that was not measured in full, because of --max-overhead.
struct GovernedFacts {
  uint32_t event_class = 0;  // EventClass of the profile's format
  uint64_t events = 0;
  uint64_t observed = 0;  // the number that was measured
};

// Samples without a place in a tree.
struct LossFacts {
  uint32_t reason = 0;   // see LossName
  uint64_t samples = 0;  // if LosesThreads, the number of threads
  uint64_t weight = 0;   // in SamplingFacts::weight_unit
};

// "tree full (--max-memory)"
const char* LossName(uint32_t reason);
// "LOST_TREE_FULL", the name in the profile's format; "LOST_99" for a reason from a newer profile.
std::string LossCode(uint32_t reason);
// True for the reason that counts threads without a timer instead of samples.
bool LosesThreads(uint32_t reason);

// Waiting without blame for any code: exact, in thread-time.
struct Unblamed {
  uint64_t nobody_working_ns = 0;  // all threads that could have ended the wait waited too
  uint64_t lock_handoff_ns = 0;    // between a lock's release and the next holder's return
  uint64_t unsampled_ns = 0;       // the debt of threads that ended before their next sample
};

// The numbers and sizes of the process's records.
struct FileFacts {
  struct RecordKind {
    std::string name;  // "region stats"; "unknown" for a kind from a newer profile
    uint64_t records = 0;
    uint64_t bytes = 0;
  };
  std::string collector_version;
  uint32_t format_version = 0;
  uint64_t trees = 0;  // of call paths
  uint64_t nodes = 0;  // of all trees
  uint64_t region_contexts = 0;
  std::vector<RecordKind> records;  // by the kind's number
  uint64_t bytes = 0;               // of all records
};

// The columns of JobMember's times: equal pieces of wall time.
struct JobTime {
  uint64_t column_ns = 0;  // 0: no member of the process has a timeline
  uint32_t columns = 0;
  bool from_own_start = false;  // column 0 begins with each member's own start; else it is one moment for all
};

struct ProcessFacts {
  std::string
      file;  // the file that the profile was read from; for a merged file, with the process's number in the file
  std::string program;
  std::vector<std::string> argv;
  std::string host;
  uint64_t pid = 0;
  uint64_t parent_pid = 0;
  std::string rank;  // the MPI rank; empty: none
  // The number of processes whose figures these are, added up (`merge --unify`); 1: one process, as recorded. Of
  // several members, `duration_ns` is that of the longest; times of threads, and other sums, are those of all members.
  uint64_t members = 1;
  uint64_t incomplete_members = 0;    // without an end
  uint64_t member_durations_ns = 0;   // of several members, added up
  JobTime job_time;                   // of View::job_members
  std::vector<std::string> settings;  // "NAME=value" of the environment variables that tune OpenMP
  SamplingFacts sampling;
  MachineFacts machine;
  FileFacts recorded;

  int64_t start_unix_ns = 0;  // CLOCK_REALTIME; 0: not known
  uint64_t start_mono_ns = 0;
  uint64_t duration_ns = 0;  // wall time to the profile's end, or to the last record
  uint64_t cpu_ns = 0;  // from the process's clock, without the collector's thread; if the profile has no end, from the
                        // threads' clocks
  uint64_t peak_resident_bytes = 0;  // of several members, added up; 0: not known
  uint64_t parallel_ns = 0;  // exact wall time with an open region of more than one thread, if the profile has an end
  uint64_t serial_ns = 0;    // the rest of the wall time; both 0: not known
  bool complete = false;     // the profile has an end
  std::string end_reason;    // "exit", "exec", ...
  std::string successor;     // after "exec": the profile of the program that the process became; empty: there is none

  uint64_t samples = 0;          // the number of samples read
  uint64_t weight = 0;           // their weight, in SamplingFacts::weight_unit
  uint64_t samples_written = 0;  // the number at the profile's end; 0: not known
  std::vector<LossFacts> losses;

  std::vector<ThreadFacts> threads;  // by id
  std::vector<RuntimeFacts> runtimes;
  std::vector<ModuleFacts> modules;     // by id
  std::vector<GovernedFacts> governed;  // by class
  // Names of libgomps besides the one that has regions: libraries bring them, and the shim serves one. Their regions
  // look like serial code of their threads.
  std::vector<std::string> unseen_libgomps;
  std::map<uint32_t, std::string> states;  // the runtimes' names for values of ompt_state_t; see StateName
  uint64_t tasks_created = 0;              // exact
  Unblamed unblamed;

  std::vector<std::string> notes;  // from the collector, a sentence each; see NotesOf
  uint64_t unsampled_own_ns = 0;   // CPU time of the profiler that no sample shows: its signals, its own thread
  uint64_t helper_cpu_ns = 0;      // of that, its own thread, which is not in cpu_ns
  uint64_t runtime_own_ns = 0;     // estimated CPU time that the runtime takes for tasks because a tool is there
  uint64_t children_cpu_ns = 0;    // CPU time of processes that this one started and waited for, and theirs
  uint64_t labels_refused = 0;     // the number refused because the table was full
  uint64_t intervals_lost = 0;     // the number of waits missing in the timeline
  uint64_t timed_piece_ns = 0;     // the timeline was put together in pieces of this length; 0: as recorded

  const ThreadFacts* FindThread(uint32_t id) const;
  // The value of an environment variable that tunes OpenMP; empty: it was not set.
  std::string SettingOf(const std::string& variable) const;
  // The processors that its OpenMP threads may use, all together; empty: not known.
  ProcessorNumbers OpenmpProcessors() const;
  uint64_t minor_faults() const;
  uint64_t kernel_ns() const;

  // The durations of all members, added up.
  uint64_t durations_ns() const { return members == 1 ? duration_ns : member_durations_ns; }

  // False if the process ran OpenMP with --waits=off. Then no figure that comes from waits is known.
  bool waits_known() const { return !sampling.no_waits || runtimes.empty(); }
};

// Reads the facts off a process's records.
ProcessFacts FactsOf(const model::ProcessProfile& profile);

// Why no runtime of the process is known, in the program's own words: not for a terminal as they are.
std::string WhyNoOmpt(const ProcessFacts& process);

// The limits of the process's profile, a sentence each: the collector's notes, and the parts that settings left out.
std::vector<std::string> NotesOf(const ProcessFacts& process);

// The processes of a run. ViewSample::process and similar members are indexes into `processes`. All processes count
// weights in one unit.
struct RunFacts {
  std::vector<ProcessFacts> processes;

  // The first process gives the run's program, command and clock.
  const ProcessFacts& first() const { return processes.front(); }
  const ProcessFacts& process(uint32_t number) const { return processes[number]; }
  bool empty() const { return processes.empty(); }

  // The number of processes, the members of unified processes counted one by one.
  uint64_t members() const;

  // Whether a process is a unified one.
  bool is_unified() const { return members() != processes.size(); }

  bool several() const { return processes.size() > 1; }
  bool weighs_ns() const { return empty() || first().sampling.weighs_ns(); }

  // The duration of the longest process.
  uint64_t duration_ns() const;

  // The largest number among the processes.
  double usable_cpus() const;

  // The same as far as OpenMP threads may use them: fewer if a single process's runtime binds its threads to fewer.
  double thread_cpus() const;

  // The mean number of processors that other programs than these processes kept busy, of the processors that the
  // processes may use. The host of a virtual machine counts as another program. 0: none, or not known.
  double cpus_of_others() const;

  // CPU time of programs that these processes started and waited for, which are not among them.
  uint64_t unseen_children_ns() const;

  // Processors that the run could use at a time beside the other programs: at least half a processor, 0: not known.
  double free_cpus() const;
};

// Whether a runtime of the run does not report events of that kind.
bool IsUntold(const RunFacts& run, const char* events);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_RUN_FACTS_H_
