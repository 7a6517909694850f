// The rules of advice by subject, a file each. Advise calls them in its order.
#ifndef OMPPROF_PROFILER_ANALYZE_ADVICE_RULES_H_
#define OMPPROF_PROFILER_ANALYZE_ADVICE_RULES_H_

#include <vector>

#include "profiler/analyze/advice/advice.h"
#include "profiler/analyze/advice/advice_run.h"

namespace ompprof::analyze {

// These add to `advice`.

// Target constructs: data that travels too often or too long, kernels that are too short, hosts and devices that wait
// for each other, and regions on the host.
void AdviseOnDevices(const AdviceRun& run, std::vector<Advice>* advice);

// Libraries with threads of their own that regions call.
void AdviseOnLibraries(const AdviceRun& run, std::vector<Advice>* advice);

// Locks, criticals and ordered constructs that threads wait for.
void AdviseOnLocks(const AdviceRun& run, std::vector<Advice>* advice);

// Locks outside of OpenMP that the threads of a region wait for: mutexes, and the C library's own locks.
void AdviseOnOutsideLocks(const AdviceRun& run, std::vector<Advice>* advice);

// Memory that glibc's allocator gives back to the system, and that the program faults in again.
void AdviseOnMemory(const AdviceRun& run, std::vector<Advice>* advice);

// Threads that are bound to too few processors or cores, and threads that move between sockets.
void AdviseOnPlacement(const AdviceRun& run, std::vector<Advice>* advice);

// These add advice or refusals to `findings`.

// Single regions: uneven work, costs of handing out iterations, of tasks, and of the region itself. A cause of a
// worthwhile potential gain that gets no advice is refused with a reason. `findings` has the advice on locks already.
// `small` becomes the outermost regions whose potential gains are not worthwhile, neither alone nor together.
void AdviseOnRegions(const AdviceRun& run, Findings* findings, std::vector<const Region*>* small);

// Many regions that lose a little each: fewer and larger regions. `small`: outermost regions without advice of their
// own.
//
// The gain of fusing R regions into one, with `nowait` between their loops, is the lesser of two:
//  - the barrier waits of the thread that waits least. A thread cannot wait less than not at all.
//  - the barriers' potential gains x (1 - 1 / sqrt(R)). If chance makes threads late, the lateness of R loops together
//    is sqrt(R) times that of a loop, not R times.
// And the share 1 - 1 / R of what creating and ending the regions costs. Not for regions with 10 ms of work of a thread
// or more.
void AdviseOnSmallRegions(const AdviceRun& run, const std::vector<const Region*>& small, Findings* findings);

// Fewer threads. Called last. The number of threads for which WhatIf predicts the shortest run, unless other advice
// gains half of it or finds regions, tasks or chunks too small. Nothing where threads lacked processors or other
// programs used them.
void AdviseFewerThreads(const AdviceRun& run, Findings* findings);

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_ADVICE_RULES_H_
