// The deviations of LLVM's OpenMP runtime from OMPT's text, and its ways where the text leaves a question open. The
// runtime is libomp, or libiomp5, which is built from the same source. The collector asks these functions and does not
// name the runtime. README.md lists the quirks that shape code elsewhere.
//
// Each function says how the runtime behaves, in which versions this was seen, and which test covers it. Functions are
// async-signal-safe unless they say otherwise.
#ifndef OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_H_
#define OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_H_

#include <omp-tools.h>
#include <stdint.h>

#include "profiler/collect/tasks/task_level.h"
#include "proto/ompt_state.h"

namespace ompprof::collect::libomp {

// Corrects pointers that ompt_get_task_info writes: an address in the first page becomes NULL. The runtime finds a
// task's region by its team. Where the team is NULL, the runtime gives the address of the team's member (0x220).
// Seen: 14, with cancellation. Test: handler_ends_test, near_null.
template <typename Value>
void ClearIfNearNull(Value** pointer) {
  constexpr uintptr_t kFirstPage = 4096;
  if (reinterpret_cast<uintptr_t>(*pointer) < kFirstPage) *pointer = nullptr;
}

// Whether parallel_data of a task with these flags may be read. For an explicit task, the runtime gives a word that is
// no pointer.
// Seen: 14 to 19. Test: libomp_quirks_test, ParallelDataOfExplicitTasks.
inline bool HasParallelData(int task_flags) { return (task_flags & (ompt_task_explicit | ompt_task_target)) == 0; }

// Removes frame markers that the runtime has left in a task to which they do not belong. The levels come innermost
// first, and all are from one runtime.
//
// An enter frame is younger than the exit frame of its own task. In two cases, the runtime breaks this rule. A task
// with dependences begins with the frame of its creator, on whatever stack that was (__kmpc_omp_task_with_deps). A
// region that is serialized within a teams construct has the exit frame of its implicit task in the task around it
// (__kmp_fork_call).
// Seen: 14 to 19. Test: classify_test, MendLevels.
void MendLevels(TaskLevel* levels, uint32_t count);

// Corrects the state of a worker that has no region, or no region any more. The runtime keeps the state of the last
// barrier, or no state, through all of the serial time that follows.
// Seen: 14 to 19. Test: waits_test, SerialTime.
inline OmptState StateWithoutRegion(OmptState state) {
  return IsBarrier(state) || state == OmptState::kUndefined ? OmptState::kIdle : state;
}

// Corrects the state of a thread whose youngest frame is the user's. In a region that is serialized within a teams
// construct, the runtime does not leave its state of overhead.
// Seen: 14. Test: libomp_quirks_test, OverheadInUserCode.
inline OmptState StateInUserCode(OmptState state, bool in_region) {
  if (state != OmptState::kOverhead) return state;
  return in_region ? OmptState::kWorkParallel : OmptState::kWorkSerial;
}

// Whether the kind of a barrier leaves open whether it is the one at the region's end. The runtime says "barrier" for
// every barrier (6 to 8), or "implicit" for every barrier that no directive asks for (9 to 15).
// Seen: 6 to 15. Test: libomp_quirks_test, BarrierAtTheRegionsEnd.
inline bool IsVague(ompt_sync_region_t kind) {
  return kind == ompt_sync_region_barrier || kind == ompt_sync_region_barrier_implicit;
}

// Whether a wait at a barrier of `kind` is the wait at the region's end. If the kind is vague, the address tells it. At
// the region's end, the primary thread has the region's address, and the others have none. (At another barrier, the
// primary thread may also have none: see CallerHere in paths/path_here.h.)
// Seen: 6 to 15. Test: libomp_quirks_test, BarrierAtTheRegionsEnd.
inline bool IsAtRegionsEnd(ompt_sync_region_t kind, uint32_t thread_num, uint64_t codeptr_ra,
                           uint64_t region_codeptr_ra) {
  if (kind == ompt_sync_region_barrier_implicit_parallel) return true;
  return IsVague(kind) && (codeptr_ra == region_codeptr_ra || (codeptr_ra == 0 && thread_num != 0));
}

// Whether parallel_begin, by a thread within a teams construct, is about a team inside the league: the runtime runs
// each initial task of the league in such a team. That team is not a region of the program.
// Seen: 14 to 19. Test: libomp_quirks_test, TeamOfALeague.
inline bool IsTeamOfLeague(int parallel_flags, const void* codeptr_ra) {
  return codeptr_ra == nullptr && (parallel_flags & ompt_parallel_league) == 0;
}

// Whether the number of threads requested is the size of the runtime's team of hidden helper threads. These threads
// execute target tasks that nobody waits for, and the runtime reports the team as a region. Reads the environment: not
// in the handler.
// Seen: 14 to 19. Test: waits_test, Helpers.
bool IsSizeOfHelpersTeam(unsigned int requested);

// Whether a question about a task far beyond the last must not ask for the thread's number: the runtime then goes
// through a null pointer (__ompt_get_task_info_internal). It accepts a null pointer for what is not asked for. Other
// runtimes may not.
// Seen: 7 to 13. Test: libomp_quirks_test, QuestionsBeyondTheLastTask.
bool MustNotBeAskedForNumbers(const char* version);

// Whether a runtime of this version has an OMPT tool of its own for programs under ThreadSanitizer (Archer). Without
// Archer, correct programs are reported to have races, and a second tool is not possible.
// Seen: 14 to 19. Test: host_test, Sanitized.
bool HasArcher(const char* version);

}  // namespace ompprof::collect::libomp

#endif  // OMPPROF_PROFILER_COLLECT_QUIRKS_LIBOMP_H_
