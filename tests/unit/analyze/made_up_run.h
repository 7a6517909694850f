// Runs whose regions, waits and threads are made up number by number. Tests of analyses that use totals only build
// them. Threads that do not wait run on a processor, unless their clock says less.
#ifndef OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_RUN_H_
#define OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_RUN_H_

#include <cstdint>
#include <string>

#include "profiler/analyze/account/efficiency.h"
#include "profiler/analyze/builder/account_threads.h"
#include "profiler/analyze/view/view.h"
#include "proto/ompt_state.h"

namespace ompprof::test {

inline constexpr uint64_t kSecond = 1000000000;

struct MadeUpRun {
  analyze::View view;

  // `threads` threads that live for `duration_ns` on as many processors. The first is the initial thread.
  MadeUpRun(uint32_t threads, uint64_t duration_ns) {
    analyze::ProcessFacts& made_up = view.run.processes.emplace_back();
    made_up.start_mono_ns = 1000;
    made_up.duration_ns = duration_ns;
    made_up.sampling.weight_unit = "nanoseconds";
    made_up.machine.cpus = threads;
    made_up.complete = true;
    made_up.runtimes.emplace_back();
    for (uint32_t id = 1; id <= threads; ++id) {
      analyze::ThreadFacts& thread = made_up.threads.emplace_back();
      thread.id = id;
      thread.kind = id == 1 ? analyze::ThreadKind::kInitial : analyze::ThreadKind::kWorker;
      thread.start_mono_ns = 1000;
      thread.lifetime_ns = duration_ns;
      thread.cpu_ns = duration_ns;
    }
  }

  analyze::ProcessFacts& process() { return view.run.processes[0]; }

  // A region of all threads that thread 1 creates. `useful_max` and `useful` are sums over `runs` instances, `wait` is
  // at the region's end.
  analyze::Region& AddRegion(const std::string& name, uint64_t runs, uint64_t elapsed, uint64_t useful,
                             uint64_t useful_max, uint64_t end_wait) {
    const auto threads = static_cast<uint32_t>(process().threads.size());
    analyze::Region region;
    region.construct = view.frames.AddFunction({name + " [omp parallel a.c:1]", "", "a.c", 1, 0});
    region.invocations = region.ended = runs;
    region.elapsed_ns = elapsed;
    region.team_sum = runs * threads;
    region.team_min = region.team_max = threads;
    region.useful_ns = useful;
    region.useful_max_ns = useful_max;
    region.end_wait_ns = end_wait;
    region.team_ns = elapsed * threads;
    region.weight = region.work_weight = useful;
    view.regions.push_back(region);
    if (threads > 1) process().threads[0].regions_ns += elapsed;  // a team of one is no parallel execution
    return view.regions.back();
  }

  void AddWait(uint32_t thread, OmptState state, uint64_t ns, uint64_t count = 1,
               analyze::FunctionId region = analyze::kNoFunction, uint64_t wait_id = 0) {
    analyze::WaitTotal wait{};
    wait.thread = thread;
    wait.state = state;
    wait.total_ns = ns;
    wait.count = count;
    wait.region = region;
    wait.wait_id = wait_id;
    view.waits.push_back(wait);
  }

  analyze::Efficiency Measure(const analyze::MpiTime& mpi = {}) {
    view.accounts = analyze::AccountThreads(view);
    return analyze::MeasureEfficiency(view, mpi);
  }
};

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_ANALYZE_MADE_UP_RUN_H_
