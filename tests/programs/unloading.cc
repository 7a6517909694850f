// A library takes its time while it is unloaded, and another thread works. With `fork` that thread forks meanwhile, and
// the child works.
//   unloading LIBRARY [MS [fork]]
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

TRUTH_WORK(other_work)
TRUTH_WORK(later_work)
TRUTH_WORK(child_work)

static truth::Account other("function", "other_work"), later("function", "later_work");
static double ms;
static bool with_child;
static std::atomic<bool> unloading{false}, unloaded{false};

static void* Other(void*) {
  while (!unloading.load()) usleep(1000);
  usleep(20000);  // into the destructor
  if (with_child) {
    const pid_t child = fork();
    if (child == 0) {
      truth::ComputeFor(ms, child_work);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("child %d\n", status);
  } else {
    const truth::Timed timed(other);
    while (!unloaded.load()) other_work(truth::Iterations(5));
  }
  return nullptr;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  ms = static_cast<double>(truth::Argument(argc, argv, 2, 500));
  with_child = argc > 3;
  truth::Iterations(1);
  void* const handle = dlopen(argv[1], RTLD_NOW);
  if (handle == nullptr) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  reinterpret_cast<void (*)(double)>(dlsym(handle, "set_fini_ms"))(ms);
  pthread_t thread;
  pthread_create(&thread, nullptr, Other, nullptr);
  unloading = true;
  const int result = dlclose(handle);
  unloaded = true;
  pthread_join(thread, nullptr);
  {
    const truth::Timed timed(later);
    later_work(truth::Iterations(ms));
  }
  other.Print();
  later.Print();
  truth::PrintProcess();
  return result;
}
