// Programs that unwind their own stacks by exceptions, jumps and tracebacks, and code that is loaded and unloaded.
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <unwind.h>

#include <atomic>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

std::atomic<long> destroyed;

struct Object {
  ~Object() { destroyed++; }
};

__attribute__((noinline)) void Throw(int depth, const std::function<void()>& between) {
  const Object object;
  if (depth == 0) throw std::runtime_error("thrown");
  between();
  Throw(depth - 1, between);
  TRUTH_NO_TAIL_CALL();
}

int Catch(int times, int depth) {
  int caught = 0;
  for (int i = 0; i < times; i++) {
    try {
      Throw(depth, [] {});
    } catch (const std::exception& error) {
      caught += error.what() == std::string("thrown");
    }
  }
  return caught;
}

int DeepExceptions() {
  Work(total_ms / 4);
  const int caught = Catch(200, 1000);
  printf("caught %d, destroyed %ld\n", caught, destroyed.load());
  return 0;
}

int ExceptionsInThreads() {
  std::atomic<int> caught{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) threads.emplace_back([&caught] { caught += Catch(4000, 10); });
  for (std::thread& thread : threads) thread.join();
  printf("caught %d, destroyed %ld\n", caught.load(), destroyed.load());
  return 0;
}

int ExceptionsInRegions() {
  int caught = 0;
#pragma omp parallel num_threads(2) reduction(+ : caught)
  {
    for (int i = 0; i < 200; i++) {
      caught += Catch(5, 10);
#pragma omp barrier
    }
  }
  printf("caught %d\n", caught);
  return 0;
}

// Throws out of a handler of a fault: the frame below was no call.
int ExceptionFromAHandler() {
  struct sigaction action = {};
  action.sa_handler = [](int) { throw 7; };
  action.sa_flags = SA_NODEFER;
  sigaction(SIGUSR1, &action, nullptr);
  int caught = 0;
  int (*volatile send)(int) = raise;  // its declaration does not say that it throws
  for (int i = 0; i < 2000; i++) {
    try {
      send(SIGUSR1);
    } catch (int number) {
      caught += number == 7;
    }
    if (i % 100 == 0) Work(total_ms / 20);
  }
  printf("caught %d\n", caught);
  return 0;
}

int Uncaught() {
  Work(total_ms);
  throw std::logic_error("nobody catches this");
}

int Terminates() {
  std::set_terminate([] {
    printf("terminating\n");
    fflush(stdout);
    abort();
  });
  Work(total_ms);
  std::thread([] { throw 1; }).join();
  return 1;
}

int PassedOn() {
  long caught = 0;
  for (int i = 0; i < 2000; i++) {
    std::exception_ptr kept;
    std::thread([&kept] {
      try {
        Throw(5, [] {});
      } catch (...) {
        kept = std::current_exception();
      }
    }).join();
    try {
      std::rethrow_exception(kept);
    } catch (const std::runtime_error&) {
      caught++;
    }
  }
  printf("caught %ld\n", caught);
  return 0;
}

jmp_buf target;
volatile bool stay = false;

__attribute__((noinline)) void JumpFrom(int depth) {
  if (depth == 0 && !stay) longjmp(target, 1);
  if (depth > 0) JumpFrom(depth - 1);
  TRUTH_NO_TAIL_CALL();
}

int Longjmp() {
  volatile int jumps = 0;
  while (jumps < 200000) {
    if (setjmp(target) == 0) JumpFrom(20);
    jumps = jumps + 1;
  }
  printf("jumps %d\n", static_cast<int>(jumps));
  return 0;
}

std::atomic<int> traces, depths;

// The program's own sampling profiler, with functions of libgcc and glibc.
int OwnTracebacks() {
  void* warm[4];
  backtrace(warm, 4);
  struct sigaction action = {};
  action.sa_handler = [](int) {
    void* frames[64];
    traces++;
    depths += backtrace(frames, 64) > 2;
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < 500; i++) {
    Work(total_ms / 500);
    raise(SIGUSR1);
  }
  int frames = 0;
  _Unwind_Backtrace(
      [](_Unwind_Context*, void* count) {
        ++*static_cast<int*>(count);
        return _URC_NO_REASON;
      },
      &frames);
  printf("traces %d, deep enough %d, here %d\n", traces.load(), depths.load(), frames > 1);
  return 0;
}

int LoadAndUnload(const std::function<void*()>& load) {
  std::atomic<bool> over{false};
  std::thread other([&over] {
    while (!over.load()) Catch(10, 5);
  });
  int loaded = 0;
  for (int i = 0; i < 200; i++) {
    void* const library = load();
    if (library == nullptr) {
      printf("%s\n", dlerror());
      break;
    }
    loaded += dlsym(library, "zlibVersion") != nullptr;
    Work(total_ms / 200);
    dlclose(library);
  }
  over = true;
  other.join();
  printf("loaded %d\n", loaded);
  return 0;
}

int Dlopen() {
  return LoadAndUnload([] { return dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL); });
}

// A namespace of its own, with a libc of its own.
int Dlmopen() {
  return LoadAndUnload([] { return dlmopen(LM_ID_NEWLM, "libz.so.1", RTLD_NOW | RTLD_LOCAL); });
}

// The second libc's functions do the work.
int WorkInAnotherNamespace() {
  void* const library = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 90;
  const auto sort =
      reinterpret_cast<void (*)(void*, size_t, size_t, int (*)(const void*, const void*))>(dlsym(library, "qsort"));
  unsigned seed = 1;
  for (int round = 0; round < 20; round++) {
    static unsigned numbers[20000];
    for (unsigned& number : numbers) number = seed = seed * 1664525 + 1013904223;
    sort(numbers, 20000, sizeof *numbers, [](const void* a, const void* b) {
      const unsigned x = *static_cast<const unsigned*>(a), y = *static_cast<const unsigned*>(b);
      return x < y ? -1 : x > y;
    });
    for (int i = 1; i < 20000; i++) faults::Expect(numbers[i - 1] <= numbers[i], "order");
  }
  Work(total_ms);
  printf("sorted\n");
  return 0;
}

// A sum over all loaded objects, while other threads load some.
int IteratesObjects() {
  std::atomic<bool> over{false};
  std::thread other([&over] {
    while (!over.load()) {
      if (void* const library = dlopen("libz.so.1", RTLD_NOW)) dlclose(library);
    }
  });
  long objects = 0;
  for (int i = 0; i < 2000; i++) {
    dl_iterate_phdr(
        [](dl_phdr_info*, size_t, void* count) {
          ++*static_cast<long*>(count);
          return 0;
        },
        &objects);
    Work(total_ms / 2000);
  }
  over = true;
  other.join();
  printf("many %d\n", objects > 6000);
  return 0;
}

struct Static {
  Static() { Work(50); }
  ~Static() {
    Work(50);
    printf("a static object is gone\n");
  }
};
const Static static_object;

int StaticObjects() {
  Work(total_ms / 3);
  atexit([] {
    Work(50);
    printf("at exit\n");
  });
  on_exit([](int status, void*) { printf("on exit %d\n", status); }, nullptr);
  return 56;
}

int QuickExit() {
  at_quick_exit([] {
    Work(50);
    printf("at quick exit\n");
    fflush(stdout);
  });
  Work(total_ms / 3);
  quick_exit(57);
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"deep_exceptions", DeepExceptions},
                                       {"exceptions_in_threads", ExceptionsInThreads},
                                       {"exceptions_in_regions", ExceptionsInRegions},
                                       {"exception_from_a_handler", ExceptionFromAHandler},
                                       {"uncaught", Uncaught},
                                       {"terminates", Terminates},
                                       {"passed_on", PassedOn},
                                       {"longjmp", Longjmp},
                                       {"own_tracebacks", OwnTracebacks},
                                       {"dlopen", Dlopen},
                                       {"dlmopen", Dlmopen},
                                       {"work_in_another_namespace", WorkInAnotherNamespace},
                                       {"iterates_objects", IteratesObjects},
                                       {"static_objects", StaticObjects},
                                       {"quick_exit", QuickExit}};
  return faults::Run(argc, argv, modes);
}
