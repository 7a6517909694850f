// libunwind as an engine (unwinder.h), to check the other engines against. It is slow (about 0.4 us a frame). It takes
// locks, because it finds objects with dl_iterate_phdr. Its DWARF expressions read memory unchecked: libunwind was seen
// to fault on gcc's wrong CFI behind a realigned function's `pop %rbp`.
#include <dlfcn.h>
#include <stdio.h>

#include "profiler/collect/arch/registers.h"
#include "profiler/collect/unwind/unwinder.h"

namespace ompprof::collect {
namespace {

// libunwind.h, ABI of libunwind.so.8. Declared here, because the library is optional at run time and should not be
// necessary at build time.
struct UnwCursor {
  uint64_t opaque[127];
};
constexpr int kInitSignalFrame = 1;  // UNW_INIT_SIGNAL_FRAME
constexpr int kCachePerThread = 2;   // UNW_CACHE_PER_THREAD
// libunwind numbers registers as DWARF does.
constexpr int kRegSp = arch::kStackPointer;
constexpr int kRegFp = arch::kFramePointer;
constexpr int kRegIp = arch::kReturnAddress;

struct Library {
  int (*init_local2)(UnwCursor*, ucontext_t*, int);
  int (*step)(UnwCursor*);
  int (*get_reg)(UnwCursor*, int, uint64_t*);
  int (*is_signal_frame)(UnwCursor*);
};
Library library;

// Loaded once and kept: libunwind's caches and its fork handlers may still be in use.
bool Load(char* error, size_t size) {
  void* handle = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    snprintf(error, size, "Cannot load libunwind: %s. Install libunwind8, or use another unwinder.", dlerror());
    return false;
  }
  struct Symbol {
    const char* name;
    void** target;
  };
  void* set_caching_policy = nullptr;
  void* local_addr_space = nullptr;
  const Symbol symbols[] = {
      {OMPPROF_LIBUNWIND_PREFIX "init_local2", reinterpret_cast<void**>(&library.init_local2)},
      {OMPPROF_LIBUNWIND_PREFIX "step", reinterpret_cast<void**>(&library.step)},
      {OMPPROF_LIBUNWIND_PREFIX "get_reg", reinterpret_cast<void**>(&library.get_reg)},
      {OMPPROF_LIBUNWIND_PREFIX "is_signal_frame", reinterpret_cast<void**>(&library.is_signal_frame)},
      {OMPPROF_LIBUNWIND_PREFIX "set_caching_policy", &set_caching_policy},
      {OMPPROF_LIBUNWIND_PREFIX "local_addr_space", &local_addr_space},
  };
  for (const Symbol& symbol : symbols) {
    *symbol.target = dlsym(handle, symbol.name);
    if (*symbol.target == nullptr) {
      snprintf(error, size, "libunwind.so.8 has no %s; version 1.3 or later is needed.", symbol.name);
      return false;
    }
  }
  // Each thread has a cache, so that two handlers never wait for each other.
  reinterpret_cast<int (*)(void*, int)>(set_caching_policy)(*static_cast<void**>(local_addr_space), kCachePerThread);
  return true;
}

void InitThread(void*, StackBounds) {}

void Start(void*, const ucontext_t* context, Cursor* cursor) { *cursor = {arch::FrameOf(*context), context, 0}; }

// libunwind's cursor does not fit into ours. In the thread's state, it would not survive a handler's walk that
// interrupts another walk. So each call begins again and passes over the frames already done.
WalkResult Walk(void*, Cursor* cursor, Frame* frames, uint32_t max) {
  if (cursor->at.pc == 0 && cursor->at.return_address) return {0, WalkEnd::kRoot};
  if (cursor->start == nullptr) return {0, WalkEnd::kBroken};
  UnwCursor unw;
  if (library.init_local2(&unw, const_cast<ucontext_t*>(cursor->start), kInitSignalFrame) != 0) {
    return {0, WalkEnd::kBroken};
  }
  const uint32_t end_index = cursor->frames_done + max;
  WalkEnd end = WalkEnd::kLimit;
  uint32_t written = 0;
  bool return_address = false;  // the leaf was interrupted
  uint64_t pc = cursor->at.pc;
  uint64_t sp = cursor->at.sp;
  uint64_t fp = cursor->at.fp;
  for (uint32_t index = 0; index < end_index; ++index) {
    if (cursor->fuel != nullptr && !cursor->fuel->Take(Cut::kFrames, Fuel::kForeignStep)) {
      end = WalkEnd::kNoFuel;
      break;
    }
    library.get_reg(&unw, kRegIp, &pc);
    library.get_reg(&unw, kRegSp, &sp);
    Frame frame = {pc, sp, return_address};
    const int step = library.step(&unw);
    if (step > 0) {
      library.get_reg(&unw, kRegIp, &pc);
      library.get_reg(&unw, kRegSp, &sp);
      library.get_reg(&unw, kRegFp, &fp);
      frame.cfa = sp;
      // The flag is true in the frame *below* the trampoline: the frame that a signal interrupted.
      return_address = library.is_signal_frame(&unw) <= 0;
      frame.return_address = frame.return_address && return_address;
    }
    if (index >= cursor->frames_done) frames[written++] = frame;
    if (step <= 0 || pc == 0) {
      end = step < 0 ? WalkEnd::kBroken : WalkEnd::kRoot;
      break;
    }
  }
  const bool more = end == WalkEnd::kLimit || end == WalkEnd::kNoFuel;
  cursor->at = {more ? pc : 0, sp, fp, more ? return_address : true};
  cursor->frames_done += written;
  return {written, end};
}

constexpr Unwinder kLibunwindUnwinder = {"libunwind", /*state_bytes=*/1, InitThread, Start, Walk};

}  // namespace

const Unwinder* LibunwindUnwinder(char* error, size_t size) {
  return Load(error, size) ? &kLibunwindUnwinder : nullptr;
}

}  // namespace ompprof::collect
