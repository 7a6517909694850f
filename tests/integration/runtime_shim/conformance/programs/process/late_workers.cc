// Workers that libgomp ends on its own are still on their way out when the program exits: those of a nested team, of a
// thread that has gone, of a pool that has become smaller, and of a target region. Each has an object whose destructor
// takes its time, and yet ends for the tool before the finalizer.
//
// RUNTIMES: gomp because libomp keeps its workers
// VARIANTS: -O0 | -O2
#include <omp.h>
#include <unistd.h>

#include <thread>

#include "conformance.h"

namespace {

struct Slow {
  int thread_num = 0;
  ~Slow() {
    if (thread_num != 0) usleep(50000);
  }
};
thread_local Slow slow;

void Team(int threads) {
#pragma omp parallel num_threads(threads)
  slow.thread_num = omp_get_thread_num();
}

}  // namespace

int main(int argc, char**) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  Team(2);
  Team(3);
  Team(2);
  std::thread(Team, 2).join();
  void (*team)(int) = Team;  // gcc lets no thread_local object into a target region
#pragma omp target map(to : team)
  team(2);
  return argc == 0;
}

// initial, the pool's worker, a worker for each of the two nested teams, the pool's third thread, the other thread with
// its worker, the target region's worker.
// COUNT: thread_begin == 8
// COUNT: thread_end == 8
// COUNT: implicit_task endpoint=begin flags=implicit == 15
// COUNT: implicit_task endpoint=end flags=implicit == 15
// COUNT: sync_region kind=barrier_implicit_parallel endpoint=begin == 15
// COUNT: sync_region kind=barrier_implicit_parallel endpoint=end == 15
// COUNT: finalize == 1
// EXPECT(initial): thread_end
// EXPECT(initial): finalize
// OTHERS: ignored
