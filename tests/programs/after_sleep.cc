// Works, sleeps for seconds in a read, and works as long again. Another thread ends the sleep.
//   after_sleep [CPU_MS]
#include <unistd.h>

#include <chrono>
#include <thread>

#include "truth.h"

TRUTH_WORK(work_before)
TRUTH_WORK(work_after)

int main(int argc, char** argv) {
  const auto ms = static_cast<double>(truth::Argument(argc, argv, 1, 400));
  truth::Account before("function", "work_before"), after("function", "work_after");
  int ends[2];
  if (pipe(ends) != 0) return 2;
  const int64_t iterations = truth::Iterations(ms / 2);
  {
    truth::Timed timed(before);
    work_before(iterations);
  }
  std::thread waker([out = ends[1]] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    if (write(out, "", 1) != 1) _exit(2);
  });
  char byte;
  if (read(ends[0], &byte, 1) != 1) return 2;
  {
    truth::Timed timed(after);
    work_after(iterations);
  }
  waker.join();
  before.Print();
  after.Print();
  truth::PrintProcess();
  return 0;
}
