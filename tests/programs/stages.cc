// A program that goes through stages, and says when, for the timeline. It labels them: prepare is in phase "setup",
// share_long in "solve/uneven", between in none. share_short is in "solve/uneven/mine": thread 1's own label within the
// region's label. holding and after_holding are in "held", which thread 0 began before the region.
//   stages
// It has two threads, which should sleep while they wait (OMP_WAIT_POLICY=passive). It prints, in CLOCK_MONOTONIC
// nanoseconds,
//   stage FUNCTION BEGIN END     when the function ran, in one thread
//   wait KIND BEGIN END          when thread 1 waited: `barrier` (a region's end), `idle` (between regions), `critical`
// and how much work was done, as the other programs do.
#include "profiler/collect/ompprof.h"

#include <omp.h>
#include <unistd.h>

#include "truth.h"

TRUTH_WORK(prepare)
TRUTH_WORK(share_long)
TRUTH_WORK(share_short)
TRUTH_WORK(between)
TRUTH_WORK(holding)
TRUTH_WORK(after_holding)

static uint64_t Now() { return truth::ClockNs(CLOCK_MONOTONIC); }

static void Say(const char* what, const char* name, uint64_t begin, uint64_t end) {
  printf("%s %s %llu %llu\n", what, name, static_cast<unsigned long long>(begin), static_cast<unsigned long long>(end));
}

// Runs a piece of work, and returns its end.
#define STAGE(name, ms)                               \
  [] {                                                \
    static truth::Account account("function", #name); \
    const uint64_t begin = Now();                     \
    {                                                 \
      const truth::Timed timed(account);              \
      name(truth::Iterations(ms));                    \
      TRUTH_NO_TAIL_CALL();                           \
    }                                                 \
    const uint64_t end = Now();                       \
    Say("stage", #name, begin, end);                  \
    account.Print();                                  \
    return end;                                       \
  }()

int main() {
  omp_set_num_threads(2);
  truth::Iterations(1);
#pragma omp parallel
  { TRUTH_NO_TAIL_CALL(); }
  {
    const ompprof::ScopedLabel setup("setup");
    STAGE(prepare, 200);
  }

  ompprof_push_label("solve");
  ompprof_push_label("uneven");
  uint64_t arrived = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      STAGE(share_long, 400);
    } else {
      const ompprof::ScopedLabel mine("mine");
      arrived = STAGE(share_short, 100);
    }
  }
  ompprof_pop_label();
  ompprof_pop_label();
  ompprof_pop_label();  // one too many does nothing
  const uint64_t joined = Now();
  Say("wait", "barrier", arrived, joined);

  STAGE(between, 200);
  ompprof_push_label("held");
  uint64_t begun = 0;
  uint64_t wanted = 0;
  uint64_t got = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(stages)
      { STAGE(holding, 300); }
    } else {
      begun = Now();
      usleep(50000);  // thread 0 is in the critical construct by now
      wanted = Now();
#pragma omp critical(stages)
      got = Now();
      STAGE(after_holding, 100);
    }
  }
  Say("wait", "idle", joined, begun);
  Say("wait", "critical", wanted, got);
  truth::PrintProcess();
  return 0;
}
