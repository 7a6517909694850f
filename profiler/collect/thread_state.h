// What the collector keeps for one thread of the program, and the list of them.
#ifndef OMPPROF_PROFILER_COLLECT_THREAD_STATE_H_
#define OMPPROF_PROFILER_COLLECT_THREAD_STATE_H_

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <atomic>

#include "profiler/collect/cct/sample_ring.h"
#include "profiler/collect/cct/tree.h"
#include "profiler/collect/ompt/governor.h"
#include "profiler/collect/ompt/lock_table.h"
#include "profiler/collect/ompt/region.h"
#include "profiler/collect/ompt/region_stats.h"
#include "profiler/collect/ompt/task_view.h"
#include "profiler/collect/ompt/wait_stack.h"
#include "profiler/collect/ompt/wait_stats.h"
#include "profiler/collect/ompt/work_stats.h"
#include "profiler/collect/sampling/pace.h"
#include "profiler/collect/sampling/sample_limits.h"
#include "profiler/collect/tick_clock.h"
#include "profiler/collect/unwind/unwinder.h"
#include "proto/callpath_profile_fields.h"

namespace ompprof::collect {

inline constexpr uint32_t kOmptEvents = 38;  // ompt_callbacks_t values are below this

// Counters that the handler adds to and the writer reads. One producer each.
struct LostCounter {
  std::atomic<uint64_t> samples{0};
  std::atomic<uint64_t> weight{0};
  void Add(uint64_t more_samples, uint64_t more_weight) {
    samples.store(samples.load(std::memory_order_relaxed) + more_samples, std::memory_order_relaxed);
    weight.store(weight.load(std::memory_order_relaxed) + more_weight, std::memory_order_relaxed);
  }
};

// A tree with what threads that use it one after the other share.
struct TreeSlot {
  Tree tree;
  uint32_t written;   // writer's own: nodes in the file
  uint32_t consumed;  // writer's own: size at the last refill
  bool left_behind;   // writer's own: its thread was discarded before all nodes were in the file
};

// The stack walk's working memory and the last sample's path, all sized by --max-depth.
struct PathBuffer {
  Frame* frames;        // leaf part (leaf first), then root part
  uint32_t leaf_limit;  // frames kept on the leaf side of a cut
  uint32_t root_limit;  // and on the root side
  Frame* root_ring;     // root_limit entries
  Frame* known_root;    // the outermost frames of the last complete walk, younger first
  uint32_t known_root_size;
  ReadablePages readable;   // of the thread's stack, proved
  uint64_t readable_stamp;  // when the mappings were so (sampling/mapping_changes.h); kUnknown: not known
  Cursor half_way;          // where a walk to the root has stopped for want of fuel; sp 0: none has
  NodeKey* keys;            // of the sample at hand, root first
  NodeKey* last_keys;       // of the tree path in last_nodes
  uint32_t* last_nodes;
  uint32_t last_size;
  uint32_t key_limit;
};

// An implicit task that a thread is in.
inline constexpr uint32_t kNeverQuiet = UINT32_MAX;
struct OpenTask {
  RegionRef region;
  uint64_t begin_ns;
  uint64_t waited_before_ns;  // ThreadState::waited_ns at its begin
  uint32_t team_size;
  uint32_t thread_num;
  Team::Standing standing;
  uint32_t wait_base;   // waits that the thread was inside of before
  uint64_t arrived_ns;  // at the barrier at its end, 0: it has not
  double owed;  // by the team's blame clock, up to which the thread has been charged; below 0: not to be charged now
  TeamMember* member;          // the thread's place in the team; NULL: there was no memory for it
  uint32_t quiet_stamp;        // of the window clock while which the thread has found it quiet (quiet_waits.h)
  const void* data = nullptr;  // the task's data word; NULL: not known
  bool made_tasks = false;     // the thread has, here or in a task within, since this task's last taskwait

  void Publish(Doing doing) {
    if (member != nullptr) member->Publish(standing.instance, doing);
  }
};

struct Source;

struct ThreadState {
  enum Phase : uint32_t { kLive, kEnded, kDrained };

  uint32_t id;
  pid_t tid;
  std::atomic<uint32_t> phase;
  std::atomic<uint32_t> kind;  // fields::thread::Kind
  // Bits of the runtimes that have said thread_begin and not thread_end: their OMPT entry points may be asked; and
  // which of them made the thread (its number + 1; 0: the program did). Own thread only.
  uint8_t known_to;
  uint8_t worker_of;
  bool helper;              // in kTeamOfHelpers
  void (*start_routine)();  // what the program gave to pthread_create or thrd_create, of their type
  void* start_argument;
  size_t stack_bytes;  // of a thread made by pthread_create, without the guard; else 0
  uint64_t start_ns;
  uint64_t start_cpu_ns;

  // Between mutex_acquire and mutex_acquired: what the thread waits for (ompt_mutex_t, 0: nothing) and its wait id.
  volatile sig_atomic_t mutex_kind;
  uint64_t mutex_wait_id;

  WaitStack waits;
  static constexpr uint32_t kMaxTasks = 16;
  RegionRef league;  // the teams construct that the thread has an initial task of, ended or not; 0: none
  OpenTask open_tasks[kMaxTasks];
  uint32_t task_depth;            // may exceed kMaxTasks
  volatile uint64_t now_ns;       // the last that NowFor said
  uint64_t waited_ns;             // of all waits so far
  uint64_t idle_since_ns;         // a worker between regions; 0: it is not
  std::atomic<bool> waits_ended;  // with the thread or with the profile, whichever came first
  // What the thread is to be blamed for; shared with its handler, which keeps out while `blame_busy`. Wall time: a
  // thread that the kernel keeps from running makes the others wait no less.
  volatile sig_atomic_t blame_busy;
  bool is_root;               // the program made it: outside regions it works
  double root_owed;           // there, as OpenTask::owed
  uint64_t blamed_until_ns;   // up to when `due_ns` and `worked_ns` are counted; 0: the thread does not work
  double due_ns;              // owed, and not yet in the profile
  uint64_t worked_ns;         // since its last sample
  uint64_t stretch_since_ns;  // in this region, or in none, without one inside
  Sample blamed_sample;       // the last one that was blamed for something
  uint64_t blamed_sample_ns;
  uint64_t blamed_switches;  // VoluntarySwitches at the first such sample of this stretch
  // What a wait for a lock may take: the longest of the last ones, less an eighth for each since.
  uint64_t lock_wait_ns;
  // Locks at which the thread has met others, by the lock's hash.
  struct HotLock {
    uint64_t wait_id;
    uint32_t slot;          // in the lock table
    uint32_t acquisitions;  // at how many of the next ones it expects them
    WaitCounts* waits;      // where the last wait for it went,
    WaitCounts* charges;    // and the last charge
  };
  static constexpr uint32_t kHotLocks = 16;
  HotLock hot_locks[kHotLocks];
  LockTable::Ticket ticket;  // between mutex_acquire and mutex_acquired; else with slot 0
  uint64_t lock_codeptr_ra;  // of that acquisition
  uint64_t lock_since_ns;    // of the window clock, if the ticket is unmeasured
  RegionRef lock_region;     // whose team counts this thread as queueing; 0: none does
  Doing lock_doing;          // what it did before
  struct HeldLock {
    uint64_t wait_id;
    uint64_t codeptr_ra;
    uint32_t slot;            // in the lock table
    uint32_t turn;            // of Acquired; 0: it came alone
    uint64_t since_ns;        // 0: it came alone, and nobody took the time
    LockTable::Ticket quick;  // slot 0: the table knows of the acquisition, unless that is unmeasured
  };
  std::atomic<uint64_t> lock_handoff_ns;  // of QuickRelease, until the thread ends
  static constexpr uint32_t kMaxHeld = 8;
  HeldLock held[kMaxHeld];
  HeldLock* quick_place;  // where the ticket is instead if QuickRelease is to tell of the acquisition; else NULL
  WaitStats* wait_stats;
  // Of the places where the thread's estimated waits went last, by codeptr_ra.
  static constexpr uint32_t kWaitPlaces = 16;
  WaitCounts* wait_places[kWaitPlaces];
  GovernedCosts costs;
  WorkStats* work_stats;
  WorkCounts* work;  // the innermost worksharing construct that the thread is in
  std::atomic<uint64_t> end_ns;
  std::atomic<uint64_t> end_cpu_ns;  // of a live thread: as last seen by the writer
  char name[16];

  // What the program says it does: the last label pushed, a number of LabelTable, and those around it.
  volatile uint16_t label;
  static constexpr uint32_t kMaxLabels = 32;
  uint32_t label_depth;  // may exceed kMaxLabels
  uint16_t outer_labels[kMaxLabels];

  // The handler and the thread's own callbacks exclude each other with `busy`: whoever finds it set leaves the weight
  // to the next sample.
  volatile sig_atomic_t busy;
  volatile sig_atomic_t in_handler;
  TaskView sampled_view;  // TakeSample's: not on the handler's stack, which may be a small alternate one
  uint64_t carried_weight;
  uint32_t carried_count;
  SampleLimits limits;

  // The sampling source's own.
  bool armed;
  bool counted;  // in session.running
  timer_t timer;
  int event_fd;
  uint64_t last_clock;
  uint64_t credited;               // weight given since last_clock without a look at the clock
  uint32_t unread;                 // samples that gave it
  bool after_event;                // the last signal was the event's own
  bool first_period;               // none of it has been heard since it was last turned on
  bool event_on;                   // the event is there (perf_event.cc)
  const Source* source;            // session.source, or the CPU timer where the thread can have no event
  Pace pace;                       // how far apart the thread's samples are
  std::atomic<long> event_page;    // the mapping that keeps the event; 0: there is none
  std::atomic<bool> event_wanted;  // armed: the thread may make its event
  // While the thread blocks the sampling signal (signal_mask.h).
  std::atomic<uint32_t> mask_state;  // + 2 at each change; odd: it does
  uint32_t mask_changes;             // how often it has begun to
  uint64_t masked_clock;             // its CPU clock when it began to
  std::atomic<uint64_t> masked_ns;   // CPU time meanwhile
  uint64_t rough_clock;              // RoughCpuClock's own
  uint64_t rough_at_ns;
  uint32_t rough_guesses;
  uint32_t suspect_mask;  // writer's own: mask_state at a look that found the signal unblocked
  bool masked() const { return (mask_state.load(std::memory_order_seq_cst) & 1) != 0; }
  Sample last_sample;
  std::atomic<uint64_t> intervals_lost;  // stretches of waiting for which the ring had no room
  Sample cut_intervals[2];  // the wait that the thread is in as the profile ends, and its idle time; time_ns 0: none
  uint64_t tail_weight;     // CPU time between the last sample and the thread's (or the profile's) end
  // What is carried at that end goes where the thread was last seen, unless it never was.
  bool HasCarriedNowhere() const { return carried_count != 0 && last_sample.count == 0; }

  TreeSlot* slot;
  SampleRing ring;
  void* unwind_state;
  PathBuffer path;
  RegionPool* regions;
  RegionStats* region_stats;
  LostCounter lost[fields::kLostReasons];
  std::atomic<uint64_t> events[kOmptEvents];

  // Writer's own.
  uint32_t package;  // that it was last seen on + 1; 0: not seen yet
  uint32_t socket_moves;
  bool announced;
  bool end_announced;
  ThreadState* next;  // in the list of all threads, newest first
};

// The calling thread's state, NULL if the collector does not know the thread. Async-signal-safe.
extern __thread ThreadState* this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

// CLOCK_MONOTONIC as the OMPT callbacks use it: quick, and for one thread never going back. Async-signal-safe; the
// calling thread's own state.
inline uint64_t NowFor(ThreadState* thread) { return QuickNs(&thread->now_ns); }

// Everything a thread needs, mapped and ready, neither armed nor in the list; that of a thread that has ended if there
// is one, with its tree. NULL if memory is exhausted. Not in the handler.
ThreadState* AllocateThread();

// A state that was never published.
void FreeThread(ThreadState* state);

// The list of threads, newest first. Adding is lock-free; removing (those that are kDrained) is the writer's alone.
void PublishThread(ThreadState* state);
ThreadState* FirstThread();
void RemoveDrainedThreads();

// A forked child has only the thread that called fork: forgets all others without freeing them.
void ForgetAllThreads();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_THREAD_STATE_H_
