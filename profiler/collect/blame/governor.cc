#include "profiler/collect/blame/governor.h"

#include <omp-tools.h>

#include <algorithm>

#include "profiler/collect/arch/ticks.h"
#include "profiler/collect/blame/wait_rows.h"
#include "profiler/collect/blame/window_clock.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/thread/thread_state.h"

namespace ompprof::collect {

Governor governor;

namespace {

// A thread's CPU time between two decisions. It is two samples at the default rate, so that a program of tiny tasks is
// slow for no longer.
constexpr uint64_t kWindowNs = 8000000;

// Waits are timed again if no thread found them too expensive for this long.
constexpr uint64_t kCalmNs = 1000000000;

// The price of a timed event in nanoseconds: clock readings, and cache lines that travel between the processors.
// Measured with scripts/bench constructs over a tool that does nothing, on a virtual machine of two processors.
struct Cost {
  ompt_callbacks_t event;
  Governed group;
  uint32_t ns;
};
constexpr Cost kCosts[] = {
    {ompt_callback_task_create, Governed::kTeams, 10},      {ompt_callback_task_schedule, Governed::kTeams, 50},
    {ompt_callback_sync_region_wait, Governed::kTeams, 50}, {ompt_callback_parallel_begin, Governed::kTeams, 100},
    {ompt_callback_parallel_end, Governed::kTeams, 100},    {ompt_callback_implicit_task, Governed::kTeams, 60},
    {ompt_callback_mutex_acquire, Governed::kLocks, 8},     {ompt_callback_mutex_acquired, Governed::kLocks, 8},
    {ompt_callback_mutex_released, Governed::kLocks, 8},
};

struct ClassOfEvent {
  ompt_callbacks_t event;
  fields::EventClass event_class;
};
// The events that are timed. A task's creation is not.
constexpr ClassOfEvent kClassesOfEvents[] = {
    {ompt_callback_task_schedule, fields::kClassTask},  {ompt_callback_mutex_acquire, fields::kClassLock},
    {ompt_callback_mutex_acquired, fields::kClassLock}, {ompt_callback_mutex_released, fields::kClassLock},
    {ompt_callback_nest_lock, fields::kClassLock},      {ompt_callback_parallel_begin, fields::kClassRegion},
    {ompt_callback_parallel_end, fields::kClassRegion}, {ompt_callback_implicit_task, fields::kClassRegion},
    {ompt_callback_work, fields::kClassWork},           {ompt_callback_dispatch, fields::kClassWork},
};

// The length of a window. Longer windows would be fewer, and estimates from few windows vary.
constexpr uint64_t kLengthNs = 300000;
// The length of a window where waits for locks are estimated. It is longer, because nobody knows the holder of a lock
// that was taken before the window.
constexpr uint64_t kLengthForLocksNs = 1000000;
constexpr uint64_t kShortestIntervalNs = 5000000;
// In lengths of a window.
constexpr uint64_t kLongestInterval = 120;
// The governor chooses the begin of a window without regard to the program's activity then. The last sample before the
// window makes events look at the clock. This sample comes at least a period and this time before the window.
constexpr uint64_t kSampleIsLateNs = 500000;
// The most past windows that one sample makes up for.
constexpr int kMostDue = 8;
// The windows' part of the allowed cost. The rest is for the events outside the windows.
constexpr double kWindowsShare = 0.6;

// The number of decisions over which the share of samples in the collector's own code is taken.
constexpr double kRecentWindows = 64;

// The most that an event costs, as a multiple of its price in kCosts. Cache lines that many processors share make an
// event dearer, up to 1 or 2 us. More samples in the collector's code come from threads that lost their processor there
// (more threads than processors). They say nothing about the cost of some hundred events.
constexpr double kMostScale = 20;

// The least share that `own` of `all` samples prove. Chance may account for the rest: for half of 12 samples, for a
// tenth of 108.
double LeastShare(double own, double all) {
  constexpr double kByChance = 12;
  return all > 0 ? own * own / (own + kByChance) / all : 0;
}

uint64_t EventCount(const ThreadState& thread, ompt_callbacks_t event) {
  return thread.tasks.events[event].load(std::memory_order_relaxed);
}

}  // namespace

void GovernedTotals::Add(const ThreadState& thread) {
  for (const ClassOfEvent& entry : kClassesOfEvents)
    classes[entry.event_class].events += EventCount(thread, entry.event);
  const uint64_t waits = EventCount(thread, ompt_callback_sync_region_wait);
  const uint64_t barriers = thread.waiting.costs.barrier_events.load(std::memory_order_relaxed);
  classes[fields::kClassBarrier].events += barriers;
  classes[fields::kClassTaskWait].events += waits > barriers ? waits - barriers : 0;
  for (uint32_t event_class = 0; event_class < fields::kEventClassCount; ++event_class)
    classes[event_class].unobserved += thread.waiting.costs.unobserved[event_class].load(std::memory_order_relaxed);
}

void Governor::Account(ThreadState* thread, uint64_t cpu_ns, bool own) {
  if (session.config.max_overhead_permille == 0 || !session.config.waits) return;
  GovernedCosts& costs = thread->waiting.costs;
  uint64_t so_far[kGovernedGroups] = {};
  for (const Cost& cost : kCosts)
    so_far[static_cast<uint32_t>(cost.group)] += cost.ns * EventCount(*thread, cost.event);
  for (uint32_t group = 0; group < kGovernedGroups; ++group) {
    costs.spent_ns[group] += so_far[group] - costs.so_far_ns[group];
    costs.so_far_ns[group] = so_far[group];
  }
  costs.window_ns += cpu_ns;
  ++costs.samples;
  if (own) ++costs.own_samples;
  if (costs.window_ns >= kWindowNs) Decide(thread);
  // Also after a calm time: a team's waits are estimated until its region ends.
  if (window_clock.last_end_ns() != 0) PlanWindow(NowFor(thread));
}

uint64_t Governor::Length() const { return Estimates(Governed::kLocks) ? kLengthForLocksNs : kLengthNs; }

constexpr uint64_t kChancePeriods = 8;

void Governor::PlanWindow(uint64_t now_ns) {
  // After a time without samples, several windows may be due.
  for (int i = 0; i < kMostDue; ++i) {
    window_clock.Now();  // ends a window that had no event
    if (!window_clock.IsStill()) return;
    uint64_t next = next_window_ns_.load(std::memory_order_relaxed);
    if (next <= window_clock.last_end_ns()) {
      const uint64_t random = (ReadTicks() ^ now_ns) * 0x9e3779b97f4a7c15ull;
      const uint64_t interval = interval_ns_.load(std::memory_order_relaxed);
      const uint64_t chosen = window_clock.last_end_ns() + interval / 2 + (random >> 32) % (interval + 1);
      if (!next_window_ns_.compare_exchange_strong(next, chosen, std::memory_order_relaxed)) return;
      next = chosen;
    }
    if (now_ns + PathThresholdNs() + kSampleIsLateNs < next) return;
    // The times between samples are exponential: that none came for a few periods is chance. A window of that time
    // would be over before any event could find it. After a longer time, all threads have slept.
    if (next < now_ns && now_ns - next < kChancePeriods * PathThresholdNs())
      next = now_ns + (ReadTicks() * 0x9e3779b97f4a7c15ull >> 32) % PathThresholdNs();
    window_clock.Plan(next, Length());
  }
}

void Governor::Decide(ThreadState* thread) {
  GovernedCosts& costs = thread->waiting.costs;
  const auto budget = static_cast<double>(costs.window_ns * session.config.max_overhead_permille) / 1000;
  const bool all_timed = !Estimates(Governed::kTeams) && !Estimates(Governed::kLocks);
  const uint64_t modelled = costs.spent_ns[0] + costs.spent_ns[1];
  // Where cache lines travel further than the model knows, samples tell the true cost, over a longer time than one
  // window.
  costs.recent_own += costs.own_samples - costs.recent_own / kRecentWindows;
  costs.recent_samples += costs.samples - costs.recent_samples / kRecentWindows;
  double scale = 1;
  if (all_timed && modelled != 0) {
    const double own_ns = LeastShare(costs.recent_own, costs.recent_samples) * static_cast<double>(costs.window_ns);
    if (own_ns > static_cast<double>(modelled)) scale = std::min(own_ns / static_cast<double>(modelled), kMostScale);
  }
  const uint64_t now = NowFor(thread);
  const uint32_t dearer = costs.spent_ns[1] > costs.spent_ns[0] ? 1 : 0;
  for (uint32_t group = 0; group < kGovernedGroups; ++group) {
    // The dearer group is estimated first. The other group follows if the first is not enough.
    uint64_t spent = costs.spent_ns[group];
    if (group == dearer) spent += costs.spent_ns[1 - group];
    const bool is = estimates_[group].load(std::memory_order_relaxed);
    if (static_cast<double>(spent) * scale > (is ? budget / 2 : budget)) {
      needed_ns_[group].store(now, std::memory_order_relaxed);
      // Threads that estimate read the window clock, so it must show the time by then.
      window_clock.Start(now);
      if (!is) estimates_[group].store(true, std::memory_order_release);
    } else if (is && now > needed_ns_[group].load(std::memory_order_relaxed) + kCalmNs) {
      estimates_[group].store(false, std::memory_order_relaxed);
    }
  }
  // While a window is open, it costs as much as if all events were timed.
  double spent = 0;
  for (uint32_t group = 0; group < kGovernedGroups; ++group)
    if (estimates_[group].load(std::memory_order_relaxed)) spent += static_cast<double>(costs.spent_ns[group]) * scale;
  if (spent > 0) {
    const double interval = static_cast<double>(Length()) * spent / (budget * kWindowsShare + 1);
    const auto most = static_cast<double>(Length() * kLongestInterval);
    uint64_t bounded = kShortestIntervalNs;
    if (interval > static_cast<double>(kShortestIntervalNs))
      bounded = static_cast<uint64_t>(interval < most ? interval : most);
    interval_ns_.store(bounded, std::memory_order_relaxed);
  }
  costs.spent_ns[0] = costs.spent_ns[1] = 0;
  costs.window_ns = 0;
  costs.samples = costs.own_samples = 0;
}

void Governor::Forget() {
  for (auto& estimates : estimates_) estimates.store(false, std::memory_order_relaxed);
  for (auto& needed : needed_ns_) needed.store(0, std::memory_order_relaxed);
  next_window_ns_.store(0, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
