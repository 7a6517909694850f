// The ways in which a program ends; the argument chooses. Status, signal and output are the program's.
//
// ARGS: return
// ARGS: exit
// ARGS: exit_inside
// ARGS: exit_by_worker
// ARGS: quick
// ARGS: abort
// ARGS: throw
// ARGS: terminate
// ARGS: fault
// ARGS: fault_by_worker
// ARGS: fork
// ARGS: fork_inside
// ARGS: exec
// ARGS: pthread_exit
// ARGS: std_thread_alive
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static bool first_has_gone = false;

static void Region(const char* name) {
  int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
  count++;
  // Which thread ends a process without its first thread is a race, and a team's thread may get no more threads.
  if (first_has_gone)
    std::printf("%s: %s\n", name, count == 1 || count == 3 ? "alone or with two" : "otherwise");
  else
    std::printf("%s: %d\n", name, count);
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "return";
  std::atexit([] { Region("atexit"); });
  if (way == "fork") {
    const pid_t child = fork();
    if (child == 0) {
      Region("child");
      std::exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("child's status %d\n", WEXITSTATUS(status));
  }
  Region("first");
  if (way == "exit") std::exit(3);
  if (way == "quick") _exit(4);
  if (way == "abort") std::abort();
  if (way == "terminate") std::terminate();
  if (way == "exec") execl("/bin/sh", "sh", "-c", "exit 8", nullptr);
  if (way == "std_thread_alive") {
    std::thread([] {
      Region("thread");
      for (;;) pause();
    }).detach();
    usleep(100000);
    std::exit(6);
  }
  if (way == "pthread_exit") {
    first_has_gone = true;
    pthread_exit(nullptr);
  }
#pragma omp parallel num_threads(3)
  {
    const int me = omp_get_thread_num();
#pragma omp barrier
    if (way == "exit_inside" && me == 0) _exit(5);
    if (way == "exit_by_worker" && me == 1) _exit(6);
    if (way == "throw" && me == 0) throw std::runtime_error("out of the region");
    if (way == "fault" && me == 0) raise(SIGSEGV);
    if (way == "fault_by_worker" && me == 2) raise(SIGSEGV);
    if (way == "fork_inside" && me == 1) {
      const pid_t child = fork();
      if (child == 0) _exit(7);
      int status = 0;
      waitpid(child, &status, 0);
      std::printf("child inside: %d\n", WEXITSTATUS(status));
    }
    if (way != "return" && way != "fork" && way != "fork_inside") pause();
  }
  Region("last");
  return 2;
}
