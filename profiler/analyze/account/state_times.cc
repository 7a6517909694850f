#include "profiler/analyze/account/state_times.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profiler/analyze/view/omp_state.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {
namespace {

void Add(StateTime* to, const StateTime& more) {
  to->samples += more.samples;
  to->weight += more.weight;
  to->wait_ns += more.wait_ns;
  to->wait_count += more.wait_count;
  to->estimate.Add(more.estimate);
}

}  // namespace

StateTimes MeasureStates(const View& view) {
  // States by number first, because processes may give one number different names.
  using Thread = std::pair<uint32_t, uint32_t>;
  std::map<std::pair<uint32_t, OmptState>, std::map<Thread, StateTime>> by_number;  // process, state
  for (const ViewSample& sample : view.samples) {
    if (sample.cost.is_unsampled()) continue;
    Add(&by_number[{sample.process, sample.state}][{sample.process, sample.thread}],
        {sample.cost.samples, sample.cost.weight, 0, 0});
  }
  for (const WaitTotal& wait : view.waits) {
    if (wait.charge) continue;
    Add(&by_number[{wait.process, wait.state}][{wait.process, wait.thread}],
        {0, 0, wait.total_ns, wait.count, wait.estimate});
  }
  std::map<std::string, std::map<Thread, StateTime>> by_name;
  std::map<std::string, StateTime> sums;
  for (const auto& [number, threads] : by_number) {
    const std::string name = StateName(view.run.process(number.first), number.second);
    for (const auto& [thread, time] : threads) {
      Add(&by_name[name][thread], time);
      Add(&sums[name], time);
    }
  }

  StateTimes times;
  for (const auto& [name, sum] : sums) times.names.push_back(name);
  std::stable_sort(times.names.begin(), times.names.end(), [&](const std::string& a, const std::string& b) {
    const StateTime& left = sums[a];
    const StateTime& right = sums[b];
    return left.weight != right.weight ? left.weight > right.weight : left.wait_ns > right.wait_ns;
  });
  std::map<Thread, std::vector<StateTime>> rows;
  for (size_t i = 0; i < times.names.size(); ++i) {
    times.all.push_back(sums[times.names[i]]);
    for (const auto& [thread, time] : by_name[times.names[i]]) {
      std::vector<StateTime>& row = rows[thread];
      row.resize(times.names.size());
      row[i] = time;
    }
  }
  for (auto& [thread, row] : rows) times.threads.push_back({thread.first, thread.second, std::move(row)});
  return times;
}

}  // namespace ompprof::analyze
