// The locks, criticals, atomics and ordered constructs that threads waited for. Each has a readable name, the places of
// its waits, and the functions that held it meanwhile. The lock reports read it.
#ifndef OMPPROF_PROFILER_ANALYZE_ACCOUNT_LOCKS_H_
#define OMPPROF_PROFILER_ANALYZE_ACCOUNT_LOCKS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "proto/ompt_state.h"

namespace ompprof::analyze {

enum class LockKind { kLock, kNestLock, kCritical, kAtomic, kOrdered };

// "lock", "nest_lock", "critical", "atomic", "ordered".
const char* LockKindName(LockKind kind);

// A place in the code where threads waited for a lock, or that held the lock.
struct LockPlace {
  FunctionId function = kNoFunction;  // kNoFunction: not known
  std::string file;
  uint32_t line = 0;
  uint64_t ns = 0;     // wall time, of all threads
  Estimate estimate;   // of ns
  uint64_t count = 0;  // waits, or releases that other threads had waited for
};

struct Lock {
  LockKind kind = LockKind::kLock;

  // "table.locks[3]", "critical hot", "critical (unnamed)", "critical at solve.c:12", "lock made at open_account
  // bank.cc:40". If nothing better is known, "0x7f0012345678".
  std::string name;
  std::string module;                              // the file that holds the variable; empty: no module's variable
  LockPlace made;                                  // the call that initialized the lock, if the lock is no variable
  PathId made_path = kEmptyPath;                   // the call path of this call, if known
  uint64_t address = 0;                            // in the first process with the lock
  std::vector<std::pair<uint32_t, uint64_t>> ids;  // process (index into RunFacts::processes) and wait id

  uint64_t wait_ns = 0;  // exact except for `estimate`; wall time, of all threads
  Estimate estimate;     // of wait_ns
  uint64_t count = 0;    // waits
  uint64_t max_ns = 0;   // the longest
  WaitLengths lengths;
  uint32_t threads = 0;            // the number that waited
  uint32_t locks = 1;              // the number of locks in this entry; more than one after FoldByPlace
  std::vector<LockPlace> blamed;   // by function; descending. Hand-offs are the rest of wait_ns.
  std::vector<LockPlace> waiting;  // by line; descending
};

struct Locks {
  std::vector<Lock> locks;  // by waiting, descending
  uint64_t thread_ns = 0;   // the lives of all threads added up: the whole for shares
};

// The length that `share` of the lock's waits do not exceed, with an error of WaitLengths::kError. 0: not known.
uint64_t WaitQuantile(const Lock& lock, double share);

// The locks of the view's processes. Variables and criticals with the same name in several processes are one lock.
// Other locks are distinguished by address. `symbolizer` is the symbolizer that built the view. New functions are added
// to the view.
Locks BuildLocks(View* view, model::Symbolizer* symbolizer);

// The lock with this wait id; null if there is none. If several locks had one address in turn, the first lock with the
// id.
const Lock* FindLock(const Locks& locks, uint32_t process, uint64_t wait_id, OmptState state);

// Merges locks that one call initialized.
void FoldByPlace(std::vector<Lock>* locks);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ACCOUNT_LOCKS_H_
