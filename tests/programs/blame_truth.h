// Who waited for whom, as the program itself knows. Its threads log by CLOCK_MONOTONIC when they work, in which
// function, when they wait, and who holds a lock. At its end the program goes through the log event by event. While k
// threads of a team wait, each working thread is charged k / (number of working threads) of the time. A team within a
// team counts as one working thread of the outer team. A thread that waits for a lock charges the lock's holder. All
// times are wall time: a busy machine, or more threads than processors, does not change the truth.
//   truth blame FUNCTION ns N      thread-time that others waited for it, as its share by team
//   truth lock_blame FUNCTION ns N thread-time that others waited for locks that it held
//   truth wait sync|idle|lock ns N thread-time waited in a team; outside regions; for locks
//   truth wait released ns N       of sync, while all of the team waited: the runtime has let some of them go, perhaps
//   truth unblamed all ns N        of the first two, while nobody worked
//   truth handoff all ns N         of the last, while nobody held the lock
//   truth end mono ns N            up to when, by CLOCK_MONOTONIC
#ifndef OMPPROF_TESTS_PROGRAMS_BLAME_TRUTH_H_
#define OMPPROF_TESTS_PROGRAMS_BLAME_TRUTH_H_

#include <string.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "truth.h"

namespace blame_truth {

// What a thread does. kTask: it works on an explicit task, for which threads in kWaitingForTask wait. kQueueing: it
// waits for a lock. kIdle: it waits between regions.
enum class Activity { kGone, kWorking, kTask, kWaiting, kWaitingForTask, kQueueing, kIdle, kOpensTeam };

struct Event {
  uint64_t ns;
  int thread;  // its index in the log, not in a team
  Activity activity;
  int team;              // the thread's; of kOpensTeam: the team that it opens from its own
  const char* function;  // the function that works
  int lock;              // the lock that the thread queues for; -1: none
  int holds;             // +1 + lock: taken; -1 - lock: released; 0: neither
};

constexpr int kMaxThreads = 64;
constexpr int kNoTeam = 0;  // outside regions
constexpr int kMaxTeams = 16;
constexpr int kMaxLocks = 8;

inline std::vector<Event>* Log() {
  static std::vector<Event> logs[kMaxThreads];
  return logs;
}

inline void Prepare() {
  for (int i = 0; i < kMaxThreads; i++) Log()[i].reserve(20000);
}

inline uint64_t Now() { return truth::ClockNs(CLOCK_MONOTONIC); }

inline void Add(int thread, Activity activity, int team, const char* function = "", int lock = -1, int holds = 0) {
  Log()[thread].push_back({Now(), thread, activity, team, function, lock, holds});
}

// Others that wait for `callee` wait for `caller`, too: the blame of `caller` is the total of both.
inline std::map<std::string, std::string>* Callers() {
  static std::map<std::string, std::string> callers;
  return &callers;
}
inline void Calls(const char* caller, const char* callee) { (*Callers())[callee] = caller; }

struct Sums {
  std::map<std::string, double> blame, lock_blame;
  double sync = 0, idle = 0, lock = 0, released = 0, unblamed = 0, handoff = 0;
};

// The state of all threads while the program goes through the log.
class Sweep {
 public:
  Sweep() {
    for (auto& thread : threads_) thread = {0, 0, Activity::kGone, kNoTeam, "", -1, 0};
    for (auto& parent : parent_) parent = -1;
    for (auto& holder : holder_) holder = {-1, nullptr};
  }

  void Pass(double ns, Sums* sums) const {
    int idle = 0;
    for (const Event& thread : threads_) {
      if (thread.activity == Activity::kIdle) idle++;
      if (thread.activity == Activity::kWaiting || thread.activity == Activity::kWaitingForTask) sums->sync += ns;
      if (thread.activity != Activity::kQueueing) continue;
      sums->lock += ns;
      const char* holder = holder_[thread.lock].function;
      (holder != nullptr ? sums->lock_blame[holder] : sums->handoff) += ns;
    }
    sums->idle += ns * idle;
    Spread(kNoTeam, 0, ns * idle, ns, sums);
  }

  void Apply(const Event& event) {
    if (event.activity == Activity::kOpensTeam) {
      parent_[event.team] = threads_[event.thread].team;
    } else {
      // A primary that goes back to the outer team has closed its own team.
      const int before = threads_[event.thread].team;
      if (before != event.team && parent_[before] == event.team) parent_[before] = -1;
    }
    threads_[event.thread] = event;
    if (event.holds > 0) holder_[event.holds - 1] = {event.thread, event.function};
    // Another thread may hold the lock before this thread has come to log its release.
    if (event.holds < 0 && holder_[-event.holds - 1].thread == event.thread) holder_[-event.holds - 1] = {-1, nullptr};
  }

 private:
  // `passed`: thread-time waited outside the team, for which the team answers.
  void Spread(int team, double passed, double idle, double ns, Sums* sums) const {
    int working = 0, tasks = 0, waiting = 0, for_tasks = 0;
    for (const Event& thread : threads_) {
      if (thread.team != team) continue;
      working += thread.activity == Activity::kWorking || thread.activity == Activity::kTask;
      tasks += thread.activity == Activity::kTask;
      waiting += thread.activity == Activity::kWaiting;
      for_tasks += thread.activity == Activity::kWaitingForTask;
    }
    for (int inner = 1; inner < kMaxTeams; inner++) working += parent_[inner] == team;
    if (working == 0 && team != kNoTeam) sums->released += ns * waiting;
    const double by_all = passed + idle + ns * (tasks > 0 ? waiting : waiting + for_tasks);
    const double by_tasks = tasks > 0 ? ns * for_tasks : 0;
    if (working == 0) {
      sums->unblamed += by_all;
      return;
    }
    for (const Event& thread : threads_) {
      if (thread.team != team) continue;
      if (thread.activity == Activity::kWorking || thread.activity == Activity::kTask)
        sums->blame[thread.function] += by_all / working;
      if (thread.activity == Activity::kTask) sums->blame[thread.function] += by_tasks / tasks;
    }
    for (int inner = 1; inner < kMaxTeams; inner++) {
      if (parent_[inner] == team) Spread(inner, by_all / working, 0, ns, sums);
    }
  }

  Event threads_[kMaxThreads];
  int parent_[kMaxTeams];
  struct {
    int thread;
    const char* function;
  } holder_[kMaxLocks];
};

inline void Print() {
  std::vector<Event> events;
  for (int i = 0; i < kMaxThreads; i++) events.insert(events.end(), Log()[i].begin(), Log()[i].end());
  if (events.empty()) return;
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.ns < b.ns; });
  Sums sums;
  Sweep sweep;
  uint64_t last = events.front().ns;
  for (const Event& event : events) {
    sweep.Pass(static_cast<double>(event.ns - last), &sums);
    last = event.ns;
    sweep.Apply(event);
  }
  const uint64_t end = Now();
  sweep.Pass(static_cast<double>(end - last), &sums);
  for (const auto& [callee, caller] : *Callers()) sums.blame[caller] += sums.blame[callee];
  const auto line = [](const char* kind, const char* name, double ns) {
    printf("truth %s %s ns %.0f\n", kind, name, ns);
  };
  for (const auto& [name, ns] : sums.blame) line("blame", name.c_str(), ns);
  for (const auto& [name, ns] : sums.lock_blame) line("lock_blame", name.c_str(), ns);
  line("wait", "sync", sums.sync);
  line("wait", "released", sums.released);
  line("wait", "idle", sums.idle);
  line("wait", "lock", sums.lock);
  line("unblamed", "all", sums.unblamed);
  line("handoff", "all", sums.handoff);
  line("end", "mono", static_cast<double>(end));
}

}  // namespace blame_truth

#endif  // OMPPROF_TESTS_PROGRAMS_BLAME_TRUTH_H_
