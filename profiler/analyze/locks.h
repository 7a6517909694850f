// The locks, criticals and other mutual exclusion that threads waited for: named as a person would, with who waited
// where, and whose holding made them wait. The lock reports are made from it.
#ifndef OMPPROF_PROFILER_ANALYZE_LOCKS_H_
#define OMPPROF_PROFILER_ANALYZE_LOCKS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/view.h"
#include "profiler/model/symbolizer.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

enum class LockKind { kLock, kNestLock, kCritical, kAtomic, kOrdered };

// "lock", "nest_lock", "critical", "atomic", "ordered".
const char* LockKindName(LockKind kind);

// A place in the code, with what it has to do with a lock.
struct LockPlace {
  FunctionId function = kNoFunction;  // kNoFunction: not known
  std::string file;
  uint32_t line = 0;
  uint64_t ns = 0;     // wall time, of all threads
  Estimate estimate;   // of ns
  uint64_t count = 0;  // waits, or releases for which others had waited
};

struct Lock {
  LockKind kind = LockKind::kLock;

  // "table.locks[3]", "critical hot", "critical (unnamed)", "critical at solve.c:12", "lock made at open_account
  // bank.cc:40", or if nothing better is known "0x7f0012345678".
  std::string name;
  std::string module;                              // the file that holds the variable; empty: it is none of a module
  LockPlace made;                                  // of a lock that is no module's: the call that initialized it
  PathId made_path = kEmptyPath;                   // and how it came there, if it was seen
  uint64_t address = 0;                            // in the first process that had it
  std::vector<std::pair<uint32_t, uint64_t>> ids;  // process (index into RunFacts::processes) and wait id

  uint64_t wait_ns = 0;  // exact but for `estimate`; wall time, of all threads
  Estimate estimate;     // of wait_ns
  uint64_t count = 0;    // waits
  uint64_t max_ns = 0;   // the longest
  WaitLengths lengths;
  uint32_t threads = 0;            // that waited
  uint32_t locks = 1;              // that this stands for: more than one after FoldByPlace
  std::vector<LockPlace> blamed;   // by function; descending. What is missing of wait_ns is in hand-offs.
  std::vector<LockPlace> waiting;  // by line; descending
};

struct Locks {
  std::vector<Lock> locks;  // by waiting, descending
  uint64_t thread_ns = 0;   // the lives of all threads added up: what shares are shares of
};

// The length that `share` of the lock's waits do not exceed, within WaitLengths::kError; 0: not known.
uint64_t WaitQuantile(const Lock& lock, double share);

// Of the view's processes. What has one name in several processes is one lock here: variables and criticals; locks that
// are no variables are told apart by address. `symbolizer` is the one that the view was built with; functions that are
// not in the view yet are added to it.
Locks BuildLocks(View* view, model::Symbolizer* symbolizer);

// The lock that was waited for under this id, null if there is none. Where a lock was made at the address of one
// destroyed before, the first of them that has the id.
const Lock* FindLock(const Locks& locks, uint32_t process, uint64_t wait_id, OmptState state);

// Puts locks that were made by one call into one.
void FoldByPlace(std::vector<Lock>* locks);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_LOCKS_H_
