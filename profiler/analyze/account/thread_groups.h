// Groups the short-lived threads of a process that follow each other, for example the threads of a team that the
// program makes anew each time. Tables of threads show a group as one row.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_THREAD_GROUPS_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_THREAD_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/analyze/account/summary.h"

namespace ompprof::analyze {

// A thread, or threads of one process and kind.
struct ThreadGroup {
  std::vector<size_t> threads;  // indexes into Summary::threads, ascending; not empty

  bool single() const { return threads.size() == 1; }
};

// The groups contain every thread of the summary once, and are in the order of their first threads. A thread is
// short-lived if it lives for at most a quarter of the process's time. More than 16 short-lived threads of one process
// and kind are a group if each follows another of them, or another follows it. All other threads are alone.
std::vector<ThreadGroup> GroupThreads(const View& view, const Summary& summary);

// The group's figures added up. Identity and kind are the first thread's.
ThreadCost SumOf(const Summary& summary, const ThreadGroup& group);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_THREAD_GROUPS_H_
