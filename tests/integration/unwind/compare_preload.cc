// A preloaded library that samples its program and walks each interrupted stack twice, by CFI and with libunwind, from
// one ucontext. At exit it appends a summary to the file that OMPPROF_COMPARE_OUT names:
//
//   samples N frames N dropped N without_cfi N without_cfi_different N identical N KIND N ...
//   ... one block for each of the first differences: its kind and both stacks, as object+offset
//
// without_cfi: stacks whose interrupted function has no CFI. Both walks guess its caller. Only the differences of these
// stacks that libunwind does not cause are counted, and no other kind.
//
// Kind below describes the kinds. The stacks alone tell which differences libunwind causes. kSkips is the exception:
// single_step_test.cc has its proof.
//
// A helper thread signals every thread of the process in turn, about 2,000 times a second. CPU timers would not do:
// they are capped at the kernel's tick rate, and thousands of samples are wanted within seconds.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "profiler/collect/unwind/unwinder.h"

extern "C" const void* _Unwind_Find_FDE(void* address, void* bases);  // of libgcc

namespace {

using ompprof::collect::Cursor;
using ompprof::collect::Frame;
using ompprof::collect::StackBounds;
using ompprof::collect::Unwinder;
using ompprof::collect::WalkEnd;
using ompprof::collect::WalkResult;

constexpr unsigned kMaxFrames = 512;
constexpr unsigned kMaxThreads = 4096;  // that ever live; the memory is touched only when they do
constexpr unsigned kMaxExamples = 40;

enum Kind : unsigned {
  kIdentical,
  kFaults,  // libunwind dereferences a wild pointer (it checks none in DWARF expressions); SIGSEGV is caught here
  kShort,   // libunwind stops where CFI leads on to the root
  kLost,    // CFI leads to the root; libunwind goes through an address that is in no object, or ends without a root
  kSkips,   // libunwind leaves out a frame and then agrees: gcc's CFI is wrong behind a realigned function's `pop %rbp`
  kInvents,   // both agree up to a word that is no code, where CFI's walk says "broken"; libunwind goes on from that
              // word
  kCfiShort,  // any other stack that CFI's walk ends sooner
  kDifferent,
  kKinds,
};
constexpr const char* kNames[kKinds] = {"identical",       "libunwind_faults",  "libunwind_short", "libunwind_lost",
                                        "libunwind_skips", "libunwind_invents", "cfi_short",       "different"};

struct Stack {
  WalkResult result;
  Frame frames[kMaxFrames];
};

struct Thread {
  StackBounds bounds;
  Stack cfi;
  Stack libunwind;
  void* cfi_state;
  void* libunwind_state;
  volatile bool guarded;  // libunwind is at work
  sigjmp_buf fault;
};

struct Example {
  Kind kind;
  Stack cfi;
  Stack libunwind;
};

const Unwinder* g_cfi;
const Unwinder* g_libunwind;
Thread* g_threads;
char* g_states;
Example* g_examples;
unsigned g_thread_count, g_example_count;
unsigned long g_samples, g_frames, g_dropped, g_without_cfi, g_without_cfi_different;
unsigned long g_kinds[kKinds];
volatile bool g_stop;
pthread_t g_helper;
__thread Thread* t_thread __attribute__((tls_model("initial-exec")));

void Count(unsigned long* counter, unsigned long by = 1) { __atomic_fetch_add(counter, by, __ATOMIC_RELAXED); }

// The mapping that contains `sp`, from /proc/self/maps, without stdio or allocation.
StackBounds FindBounds(uintptr_t sp) {
  StackBounds found = {0, 0};
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return found;
  char buffer[4096];
  uintptr_t value[2] = {0, 0};
  int field = 0;  // 0: start, 1: end, 2: the rest of the line
  ssize_t size;
  while (found.high == 0 && (size = read(file, buffer, sizeof(buffer))) > 0) {
    for (ssize_t i = 0; i < size; ++i) {
      const char c = buffer[i];
      if (c == '\n') {
        if (sp >= value[0] && sp < value[1]) found = {value[0], value[1]};
        value[0] = value[1] = 0;
        field = 0;
      } else if (field < 2 && (c == '-' || c == ' ')) {
        ++field;
      } else if (field < 2) {
        value[field] = value[field] * 16 + static_cast<uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    }
  }
  close(file);
  return found;
}

size_t StateStride() { return (g_cfi->state_bytes + g_libunwind->state_bytes + 63) & ~size_t{63}; }

Thread* ThisThread(uintptr_t sp) {
  if (t_thread == nullptr) {
    const unsigned index = __atomic_fetch_add(&g_thread_count, 1, __ATOMIC_RELAXED);
    if (index >= kMaxThreads) return nullptr;
    t_thread = &g_threads[index];
    t_thread->bounds = FindBounds(sp);
    t_thread->cfi_state = g_states + index * StateStride();
    t_thread->libunwind_state = static_cast<char*>(t_thread->cfi_state) + g_cfi->state_bytes;
    g_cfi->init_thread(t_thread->cfi_state, t_thread->bounds);
    g_libunwind->init_thread(t_thread->libunwind_state, t_thread->bounds);
  } else if (sp < t_thread->bounds.low && t_thread->bounds.low - sp < (1u << 20)) {
    t_thread->bounds = FindBounds(sp);  // a main thread's stack has grown
    g_cfi->init_thread(t_thread->cfi_state, t_thread->bounds);
  }
  return t_thread;
}

void WalkWith(const Unwinder* unwinder, void* state, const ucontext_t* context, Stack* stack) {
  Cursor cursor;
  unwinder->start(state, context, &cursor);
  stack->result = unwinder->walk(state, &cursor, stack->frames, kMaxFrames);
}

// The number of leading frames that agree. The last frame of a stack has no caller and so no comparable CFA.
unsigned CommonFrames(const Stack& a, const Stack& b) {
  unsigned i = 0;
  for (; i < a.result.frames && i < b.result.frames; ++i) {
    const bool last = i + 1 == a.result.frames || i + 1 == b.result.frames;
    if (a.frames[i].pc != b.frames[i].pc || (!last && a.frames[i].cfa != b.frames[i].cfa)) break;
  }
  return i;
}

bool IsInObject(uintptr_t address) {
  dl_find_object found;
  return _dl_find_object(reinterpret_cast<void*>(address), &found) == 0;
}

bool AllInObjects(const Stack& stack) {
  for (unsigned i = 0; i < stack.result.frames; ++i) {
    if (!IsInObject(stack.frames[i].pc)) return false;
  }
  return true;
}

// Whether the frames of `shorter` from `common` on are the last of `longer`.
bool EndsIn(const Stack& longer, const Stack& shorter, unsigned common) {
  const unsigned rest = shorter.result.frames - common;
  if (rest == 0 || longer.result.frames <= shorter.result.frames) return false;
  const Frame* tail = longer.frames + longer.result.frames - rest;
  for (unsigned i = 0; i < rest; ++i) {
    if (tail[i].pc != shorter.frames[common + i].pc) return false;
  }
  return true;
}

Kind Classify(const Stack& cfi, const Stack& libunwind) {
  if (libunwind.result.frames == 0) return kFaults;
  const unsigned common = CommonFrames(cfi, libunwind);
  const bool whole_cfi = common == cfi.result.frames;
  if (whole_cfi && common == libunwind.result.frames) return kIdentical;
  if (cfi.result.end == WalkEnd::kRoot && AllInObjects(cfi)) {
    if (common == libunwind.result.frames) return kShort;
    if (libunwind.result.end != WalkEnd::kRoot || !AllInObjects(libunwind)) return kLost;
    // The interrupted frame lies before the gap, and both walks know its CFA.
    const unsigned same_pc = common == 0 && cfi.frames[0].pc == libunwind.frames[0].pc ? 1 : common;
    if (EndsIn(cfi, libunwind, same_pc)) return kSkips;
  }
  if (whole_cfi && cfi.result.end == WalkEnd::kBroken && !IsInObject(libunwind.frames[common].pc)) return kInvents;
  return whole_cfi ? kCfiShort : kDifferent;
}

// libgcc looks an address of a loaded object up without a lock.
bool HasCfi(uintptr_t address) {
  struct {
    void* text;
    void* data;
    void* function;
  } bases;
  return _Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases) != nullptr;
}

void Compare(const Thread& thread) {
  const Kind kind = Classify(thread.cfi, thread.libunwind);
  Count(&g_samples);
  Count(&g_frames, thread.cfi.result.frames);
  if (!HasCfi(thread.cfi.frames[0].pc)) {
    Count(&g_without_cfi);
    if (kind != kCfiShort && kind != kDifferent) return;
    Count(&g_without_cfi_different);
  } else {
    Count(&g_kinds[kind]);
    if (kind == kIdentical) return;
  }
  const unsigned index = __atomic_fetch_add(&g_example_count, 1, __ATOMIC_RELAXED);
  if (index < kMaxExamples) g_examples[index] = {kind, thread.cfi, thread.libunwind};
}

void HandleFault(int signal_number, siginfo_t*, void*) {
  if (t_thread != nullptr && t_thread->guarded) siglongjmp(t_thread->fault, 1);
  signal(signal_number, SIG_DFL);  // the program's own: let it happen again
}

void Handle(int, siginfo_t*, void* context_pointer) {
  const int saved_errno = errno;
  const auto* context = static_cast<const ucontext_t*>(context_pointer);
  Thread* thread = ThisThread(static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSP]));
  if (thread == nullptr) {
    Count(&g_dropped);
  } else {
    WalkWith(g_cfi, thread->cfi_state, context, &thread->cfi);
    thread->libunwind.result.frames = 0;
    thread->guarded = true;
    if (sigsetjmp(thread->fault, 1) == 0) {
      WalkWith(g_libunwind, thread->libunwind_state, context, &thread->libunwind);
    }
    thread->guarded = false;
    Compare(*thread);
  }
  errno = saved_errno;
}

void* Help(void*) {
  const pid_t pid = getpid();
  const pid_t self = static_cast<pid_t>(syscall(SYS_gettid));
  while (!g_stop) {
    DIR* tasks = opendir("/proc/self/task");
    if (tasks == nullptr) return nullptr;
    while (const dirent* entry = readdir(tasks)) {
      const int tid = atoi(entry->d_name);
      if (tid > 0 && tid != self) syscall(SYS_tgkill, pid, tid, SIGPROF);
    }
    closedir(tasks);
    const timespec pause = {0, 400 * 1000};
    nanosleep(&pause, nullptr);
  }
  return nullptr;
}

void PrintStack(FILE* file, const char* name, const Stack& stack, unsigned around) {
  fprintf(file, "  %s: %u frames, end %d\n", name, stack.result.frames, static_cast<int>(stack.result.end));
  const unsigned first = around > 3 ? around - 3 : 0;
  for (unsigned i = first; i < stack.result.frames && i < around + 3; ++i) {
    const Frame& frame = stack.frames[i];
    Dl_info info = {};
    dladdr(reinterpret_cast<void*>(frame.pc), &info);
    fprintf(file, "    #%u %s+0x%lx %s cfa 0x%lx\n", i, info.dli_fname == nullptr ? "?" : info.dli_fname,
            frame.pc - reinterpret_cast<uintptr_t>(info.dli_fbase), info.dli_sname == nullptr ? "" : info.dli_sname,
            frame.cfa);
  }
}

void* Map(size_t size) {
  return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_ANONYMOUS, -1, 0);
}

__attribute__((constructor)) void Begin() {
  if (getenv("OMPPROF_COMPARE_OUT") == nullptr) return;
  unsetenv("LD_PRELOAD");  // the program's children are not under test
  char error[256];
  g_cfi = ompprof::collect::CfiUnwinder();
  g_libunwind = ompprof::collect::LibunwindUnwinder(error, sizeof(error));
  if (g_libunwind == nullptr) {
    fprintf(stderr, "%s\n", error);
    _exit(77);
  }
  g_threads = static_cast<Thread*>(Map(kMaxThreads * sizeof(Thread)));
  g_examples = static_cast<Example*>(Map(kMaxExamples * sizeof(Example)));
  g_states = static_cast<char*>(Map(kMaxThreads * StateStride()));
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  action.sa_sigaction = HandleFault;
  sigaction(SIGSEGV, &action, nullptr);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_create(&g_helper, nullptr, Help, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

__attribute__((destructor)) void End() {
  if (g_threads == nullptr) return;
  g_stop = true;
  pthread_join(g_helper, nullptr);
  FILE* file = fopen(getenv("OMPPROF_COMPARE_OUT"), "a");
  if (file == nullptr) return;
  fprintf(file, "samples %lu frames %lu dropped %lu without_cfi %lu without_cfi_different %lu", g_samples, g_frames,
          g_dropped, g_without_cfi, g_without_cfi_different);
  for (unsigned kind = 0; kind < kKinds; ++kind) fprintf(file, " %s %lu", kNames[kind], g_kinds[kind]);
  fprintf(file, "\n");
  // Unexplained differences come first.
  for (unsigned kind = kKinds; kind-- > 0;) {
    for (unsigned i = 0; i < g_example_count && i < kMaxExamples; ++i) {
      const Example& example = g_examples[i];
      if (example.kind != kind) continue;
      fprintf(file, "%s\n", kNames[kind]);
      const unsigned around = CommonFrames(example.cfi, example.libunwind);
      PrintStack(file, "cfi", example.cfi, around);
      PrintStack(file, "libunwind", example.libunwind, around);
    }
  }
  fclose(file);
}

}  // namespace
