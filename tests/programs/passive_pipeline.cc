// A pipeline in one parallel region. Each thread is a stage and passes items to the next stage by a mutex and a
// condition variable. Stages work for 1, 2 or 3 ms on an item. The faster stages wait for the slower ones, so threads
// sleep after almost every item. OpenMP knows nothing of these waits.
//   passive_pipeline [CPU_MS]
#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "truth.h"

TRUTH_WORK(light_stage)
TRUTH_WORK(middle_stage)
TRUTH_WORK(heavy_stage)

static truth::Account light("function", "light_stage"), middle("function", "middle_stage"),
    heavy("function", "heavy_stage");

// Items have no content: the queue between two stages only counts them.
class Queue {
 public:
  void Put() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return items_ < kRoom; });
    items_++;
    changed_.notify_one();
  }

  void Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return items_ > 0; });
    items_--;
    changed_.notify_one();
  }

 private:
  static constexpr int kRoom = 2;
  std::mutex mutex_;
  std::condition_variable changed_;
  int items_ = 0;
};

constexpr int StageMs(int stage) { return 1 + stage % 3; }

static void WorkOnItem(int stage) {
  const uint64_t iterations = truth::Iterations(StageMs(stage));
  if (StageMs(stage) == 1) {
    truth::Timed timed(light);
    light_stage(iterations);
  } else if (StageMs(stage) == 2) {
    truth::Timed timed(middle);
    middle_stage(iterations);
  } else {
    truth::Timed timed(heavy);
    heavy_stage(iterations);
  }
}

TRUTH_FUNCTION void pipeline(int stages, long items) {
  std::vector<Queue> queues(stages);
#pragma omp parallel num_threads(stages)
  {
    const int stage = omp_get_thread_num();
    const bool last = stage + 1 == omp_get_num_threads();  // the team may be smaller than asked for
    for (long item = 0; item < items; item++) {
      if (stage > 0) queues[stage - 1].Take();
      WorkOnItem(stage);
      if (!last) queues[stage].Put();
    }
  }
  TRUTH_NO_TAIL_CALL();
}

int main(int argc, char** argv) {
  const int stages = std::max(3, omp_get_max_threads());
  int item_ms = 0;
  for (int stage = 0; stage < stages; stage++) item_ms += StageMs(stage);
  truth::Iterations(1);
  pipeline(stages, truth::Argument(argc, argv, 1, 5000) / item_ms);
  light.Print();
  middle.Print();
  heavy.Print();
  truth::PrintProcess();
  return 0;
}
