/* Asks all entry points of Technical Report 2 (-DDRAFT: of the draft behind it) in a handler of SIGPROF, on every
   thread that it has heard of, and checks the answers. At the end it prints a line "samples N", a line for each state
   seen, and a line for each kind of wrong answer. For signal_test.py. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "early.h"

static uint64_t (*get_thread_id)(void);
static int (*get_state)(uint64_t*);
static void* (*get_idle_frame)(void);
static uint64_t (*get_parallel_id)(int);
static int (*get_parallel_team_size)(int);
static uint64_t (*get_task_id)(int);
static Frame* (*get_task_frame)(int);

enum { kIdle = 0x10, kOverhead = 0x20, kBarrierImplicit = 0x41, kUndefined = 0x70, kStates = 0x80, kDeepest = 20 };

/* What the handler has seen an id of, and what the callbacks have announced. */
enum { kRegion = 1, kTask = 2 };
#define IDS (1 << 22)
static atomic_uchar seen[IDS], announced[IDS];

static atomic_long samples, states[kStates], wait_ids, idle_frames, frames, users_frames;

static const char* const kWrong[] = {
    "state",        "thread id",      "region's id",      "team size",         "team size beyond",
    "task's id",    "frame missing",  "frame beyond",     "exit frame",        "reenter frame",
    "idle frame",   "unknown thread", "id not announced", "frame of a worker", "region beyond",
    "user's frame",
};
enum {
  kState,
  kThreadId,
  kRegionId,
  kTeamSize,
  kTeamSizeBeyond,
  kTaskId,
  kFrameMissing,
  kFrameBeyond,
  kExitFrame,
  kReenterFrame,
  kIdleFrame,
  kUnknownThread,
  kNotAnnounced,
  kFrameOfWorker,
  kRegionBeyond,
  kUsersFrame,
  kKinds
};
static atomic_long wrong[kKinds];
_Static_assert(sizeof kWrong / sizeof kWrong[0] == kKinds, "a word for each");

static void Expect(int is_right, int kind) {
  if (!is_right) atomic_fetch_add(&wrong[kind], 1);
}

static __thread uint64_t own_id;
static __thread int own_type;
static __thread char *lowest, *highest; /* of the thread's stack */

static int IsOnStack(const void* address) { return (char*)address >= lowest && (char*)address < highest; }

static void See(uint64_t id, int what) {
  if (id < IDS) atomic_fetch_or(&seen[id], (unsigned char)what);
}

/* A worker whose region has ended has no ids any more. The region may end while the handler asks. */
static int IsIdle(void) { return get_state(NULL) == kIdle; }

/* At the end of an implicit task, the region may be gone before the task. Its id stays until then. */
static int IsEnding(void) { return get_state(NULL) == kOverhead || get_state(NULL) == kBarrierImplicit; }

static void CheckRegions(void) {
  int level = 0;
  for (; level < kDeepest; level++) {
    const uint64_t id = get_parallel_id(level);
    const int size = get_parallel_team_size(level);
    if (id == 0) break;
    See(id, kRegion);
    Expect((size >= 1 && size <= 4) || (level == 0 && size == -1 && IsEnding()) || IsIdle(), kTeamSize);
  }
  Expect(level < kDeepest, kRegionId);
  Expect(get_parallel_id(level) == 0, kRegionBeyond);
  Expect(get_parallel_team_size(level) == -1, kTeamSizeBeyond);
  Expect(get_parallel_id(-1) == 0 && get_parallel_team_size(-1) == -1, kRegionBeyond);
}

/* The thread's frames lie on its stack, a task's above those of the next task: sp <= reenter < exit <= reenter < exit.
   A worker's outer tasks are on other stacks. Returns the oldest exit frame, NULL if there is none. */
static char* CheckTasks(char* youngest) {
  char *last = youngest, *oldest = NULL;
  int level = 0;
  for (; level < kDeepest; level++) {
    const uint64_t id = get_task_id(level);
    const Frame* found = get_task_frame(level);
    if (id == 0) break;
    See(id, kTask);
    Expect(found != NULL || IsIdle(), kFrameMissing);
    if (found == NULL) continue;
    const Frame frame = *found;
    if (level == 0) {
      Expect(frame.exit == NULL || IsOnStack(frame.exit) || IsIdle(), kFrameOfWorker);
      Expect(frame.reenter == NULL || IsOnStack(frame.reenter) || IsIdle(), kFrameOfWorker);
      atomic_fetch_add(&frames, frame.exit != NULL);
    }
    if (frame.reenter != NULL && IsOnStack(frame.reenter)) {
      Expect((char*)frame.reenter >= last, kReenterFrame);
      last = frame.reenter;
    }
    if (frame.exit != NULL && IsOnStack(frame.exit)) {
      Expect((char*)frame.exit >= last, kExitFrame);
      last = oldest = frame.exit;
    }
  }
  Expect(level < kDeepest, kTaskId);
  Expect(get_task_frame(kDeepest * 2) == NULL && get_task_frame(-1) == NULL && get_task_id(-1) == 0, kFrameBeyond);
  return oldest;
}

static void Handle(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)info;
  uint64_t wait_id = 0;
  const int state = get_state(&wait_id);
  atomic_fetch_add(&samples, 1);
  Expect(state >= 0 && state < kStates, kState);
  if (state >= 0 && state < kStates) atomic_fetch_add(&states[state], 1);
  if (state >= 0x60 && state <= 0x64) atomic_fetch_add(&wait_ids, wait_id != 0);
  if (own_id != 0) Expect(get_thread_id() == own_id, kThreadId);
  CheckRegions();
  char* oldest = CheckTasks((char*)((ucontext_t*)context)->uc_mcontext.gregs[REG_RSP]);
  char* idle = get_idle_frame();
  if (own_type == 1) Expect(idle == NULL, kIdleFrame);
  if (own_type == 2 && idle != NULL) {
    Expect(IsOnStack(idle) && (oldest == NULL || idle > oldest), kIdleFrame);
    atomic_fetch_add(&idle_frames, 1);
  }
}

/* Called by the program in a region, with the canonical frame address of the function that began the region. In the
   report, the frame that entered the runtime is the runtime's, below that function's frame. In the draft it is that
   function's: its frame pointer lies 16 bytes below the frame's end. Without call frame information (-DNO_CFI), it is
   some address in the frame. */
void check_enter_frame(char* cfa) {
  const Frame* frame = get_task_frame(1);
  char* enter = frame != NULL ? frame->reenter : NULL;
#if defined(DRAFT) && defined(NO_CFI)
  Expect(enter != NULL && enter <= cfa - 16 && enter + 4096 > cfa, kUsersFrame);
#elif defined(DRAFT)
  Expect(enter == cfa - 16, kUsersFrame);
#else
  Expect(enter != NULL && enter < cfa - 16 && enter + 4096 > cfa, kUsersFrame);
#endif
  atomic_fetch_add(&users_frames, 1);
}

/* The threads to sample. The prober asks only threads in this list, under the lock: none ends meanwhile. */
#define THREADS 64
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t threads[THREADS];

static void Replace(pid_t from, pid_t to) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < THREADS; i++) {
    if (threads[i] != from) continue;
    threads[i] = to;
    break;
  }
  pthread_mutex_unlock(&lock);
}

static pid_t OwnTid(void) { return (pid_t)syscall(SYS_gettid); }

/* OpenMP does not know this thread. */
static void* Probe(void* unused) {
  for (;;) {
    uint64_t wait_id = 1;
    Expect(get_state(&wait_id) == kUndefined && wait_id == 0 && get_thread_id() == 0 && get_idle_frame() == NULL,
           kUnknownThread);
    Expect(
        get_parallel_id(0) == 0 && get_parallel_team_size(0) == -1 && get_task_id(0) == 0 && get_task_frame(0) == NULL,
        kUnknownThread);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < THREADS; i++)
      if (threads[i] != 0) syscall(SYS_tgkill, getpid(), threads[i], SIGPROF);
    pthread_mutex_unlock(&lock);
    usleep(100);
  }
  return unused;
}

static void ThreadBegin(int type, uint64_t id) {
  pthread_attr_t attributes;
  void* stack;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &stack, &size);
  pthread_attr_destroy(&attributes);
  lowest = stack;
  highest = lowest + size;
  own_type = type;
  own_id = id;
  Replace(0, OwnTid());
}
static void ThreadEnd(int type, uint64_t id) {
  (void)type, (void)id;
  Replace(OwnTid(), 0);
}

static void Announce(uint64_t id, int what) {
  if (id < IDS) atomic_fetch_or(&announced[id], (unsigned char)what);
}
static void ParallelBegin(uint64_t task, Frame* frame, uint64_t region) {
  (void)task, (void)frame;
  Announce(region, kRegion);
}
static void TaskBegin(uint64_t task, Frame* frame, uint64_t created) {
  (void)task, (void)frame;
  Announce(created, kTask);
}
static void ImplicitTaskBegin(uint64_t region, uint64_t task) {
  (void)region;
  Announce(task, kTask);
}

static void Shutdown(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPROF, &ignore, NULL);
  for (int id = 0; id < IDS; id++) {
    const unsigned char what = atomic_load(&seen[id]);
    Expect((what & ~atomic_load(&announced[id])) == 0 && (id != 0 || what == 0), kNotAnnounced);
  }
  printf("samples %ld\nwait_ids %ld\nidle_frames %ld\nframes %ld\nusers_frames %ld\n", samples, wait_ids, idle_frames,
         frames, users_frames);
  for (int i = 0; i < kStates; i++)
    if (states[i] != 0) printf("state %#x\n", i);
  for (int i = 0; i < kKinds; i++)
    if (wrong[i] != 0) printf("wrong %s: %ld\n", kWrong[i], wrong[i]);
  fflush(stdout);
}

static void Register(Lookup lookup, const char* runtime_version, unsigned version) {
  (void)runtime_version, (void)version;
  int (*set_callback)(int, void*) = (int (*)(int, void*))lookup("ompt_set_callback");
  get_thread_id = (uint64_t(*)(void))lookup("ompt_get_thread_id");
  get_state = (int (*)(uint64_t*))lookup("ompt_get_state");
  get_idle_frame = (void* (*)(void))lookup("ompt_get_idle_frame");
  get_parallel_id = (uint64_t(*)(int))lookup("ompt_get_parallel_id");
  get_parallel_team_size = (int (*)(int))lookup("ompt_get_parallel_team_size");
  get_task_id = (uint64_t(*)(int))lookup("ompt_get_task_id");
  get_task_frame = (Frame * (*)(int)) lookup("ompt_get_task_frame");
  set_callback(1, ParallelBegin);
  set_callback(3, TaskBegin);
  set_callback(5, ThreadBegin);
  set_callback(6, ThreadEnd);
  set_callback(8, Shutdown);
  set_callback(22, ImplicitTaskBegin);
  set_callback(24, ImplicitTaskBegin);
  struct sigaction action = {.sa_sigaction = Handle, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGPROF, &action, NULL);
  pthread_t prober;
  pthread_create(&prober, NULL, Probe, NULL);
}
