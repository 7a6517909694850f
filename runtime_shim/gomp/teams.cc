// teams. In libgomp, one thread runs the teams of a league in turn, each as an initial task (OpenMP 5.1 section 2.7).
// On the host, the compiler outlines the region, and a trampoline runs each team. Inside a target region, the compiler
// does not outline it: the program asks for the next team in a loop (GOMP_teams4, since GCC 12), or says once that a
// team begins (GOMP_teams).
#include "runtime_shim/gomp/teams.h"

#include "runtime_shim/gomp/real.h"
#include "runtime_shim/gomp/region.h"

namespace gomp_ompt {
namespace {

using Outlined = void(void*);

constexpr int kLeague = ompt_parallel_invoker_runtime | static_cast<int>(ompt_parallel_league);

DECLARE_REAL(GOMP_teams_reg, void(Outlined*, void*, unsigned, unsigned, unsigned));
DECLARE_REAL(GOMP_teams, void(unsigned, unsigned));
DECLARE_REAL(GOMP_teams4, bool(unsigned, unsigned, unsigned, bool));
DECLARE_REAL(omp_get_max_teams, int());
DECLARE_REAL(omp_get_num_teams, int());
DECLARE_REAL(omp_get_team_num, int());

// libgomp makes this many teams if neither the program nor OMP_NUM_TEAMS gives a number (host teams, since GCC 9).
constexpr unsigned kDefaultTeams = 3;

// Outside of target regions.
unsigned RequestedTeams(unsigned num_teams) {
  if (num_teams != 0) return num_teams;
  auto* max_teams = Real_omp_get_max_teams::Find();  // since GCC 12
  const int of_environment = max_teams != nullptr ? max_teams() : 0;
  return of_environment > 0 ? static_cast<unsigned>(of_environment) : kDefaultTeams;
}

Task* BeginTeam(Thread& thread, Parallel* league) {
  Task* task = NewTask(thread);
  task->parallel = league;
  task->scheduling_parent = league->encountering_task;
  task->flags = ompt_task_initial;
  task->thread_num = REAL(omp_get_team_num)();
  const auto league_size = static_cast<unsigned>(REAL(omp_get_num_teams)());
  task->codeptr_ra = league->codeptr_ra;
  league->team_size.store(league_size, std::memory_order_relaxed);
  thread.state = ompt_state_overhead;
  thread.current = task;
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_begin, &league->data, &task->data, league_size, static_cast<unsigned>(task->thread_num),
             ompt_task_initial);
  return task;
}

void EndTeam(Thread& thread, Parallel* league) {
  Task* task = thread.current;
  thread.state = ompt_state_overhead;
  task->frame.exit_frame = ompt_data_none;
  if (auto* callback = OMPT_CALLBACK(implicit_task))
    callback(ompt_scope_end, nullptr, &task->data, 0, static_cast<unsigned>(task->thread_num), ompt_task_initial);
  thread.current = league->encountering_task;
  FreeTask(thread, task);
}

void RunTeam(void* argument) {
  auto* league = static_cast<Parallel*>(argument);
  Thread& thread = this_thread;
  const uint32_t epoch = ToolEpoch();
  Task* task = BeginTeam(thread, league);
  task->frame.exit_frame.ptr = __builtin_frame_address(0);
  thread.state = WorkState(task);
  league->function(league->argument);
  if (ToolEpoch() == epoch) EndTeam(thread, league);
}

// The league with the team that the calling thread executes inside a target region. GOMP_teams or GOMP_teams4 began the
// team.
Parallel* OpenLeague(const Thread& thread) {
  const Task* task = thread.current;
  const bool is_team = (task->flags & ompt_task_initial) != 0 && task->parallel->flags == kLeague;
  return is_team && task->parallel->function == nullptr ? task->parallel : nullptr;
}

void ContinueAsTeam(Thread& thread, Parallel* league, void* user_frame) {
  Task* task = BeginTeam(thread, league);
  ompt_frame_t& encountering_frame = league->encountering_task->frame;
  SetFrame(encountering_frame.enter_frame, encountering_frame.enter_frame_flags, user_frame, kFrameOfProgram);
  SetFrame(task->frame.exit_frame, task->frame.exit_frame_flags, user_frame, kFrameOfProgram);
  thread.state = WorkState(task);
}

void EndLeague(Thread& thread, Parallel* league, void* frame) {
  EndGeneration(league);
  ompt_frame_t& encountering_frame = league->encountering_task->frame;
  SetFrame(encountering_frame.enter_frame, encountering_frame.enter_frame_flags, frame, kFrameOfRuntime);
  LeaveParallel(thread, league);
}

// gcc calls the next two functions only in target regions, where the region's own initial task is current.
bool InTargetRegion(const Thread& thread) {
  const Task* task = thread.current;
  const Task* parent = task->scheduling_parent;
  return (task->flags & ompt_task_initial) != 0 && parent != nullptr && (parent->flags & ompt_task_target) != 0;
}

}  // namespace

void EndOpenLeague(Thread& thread, void* frame) {
  Parallel* league = OpenLeague(thread);
  if (league == nullptr) return;
  EndTeam(thread, league);
  EndLeague(thread, league, frame);
}

EXPORTED void GOMP_teams_reg(Outlined* function, void* argument, unsigned num_teams, unsigned thread_limit,
                             unsigned flags) {
  if (!Tracing()) return REAL(GOMP_teams_reg)(function, argument, num_teams, thread_limit, flags);
  const Caller caller = CALLER();
  const uint32_t epoch = ToolEpoch();
  Parallel* league = BeginParallel(function, argument, RequestedTeams(num_teams), kLeague, caller);
  REAL(GOMP_teams_reg)(RunTeam, league, num_teams, thread_limit, flags);
  if (ToolEpoch() == epoch) EndLeague(this_thread, league, caller.frame);
}

EXPORTED bool GOMP_teams4(unsigned low, unsigned high, unsigned thread_limit, bool first) {
  if (!Tracing()) return REAL(GOMP_teams4)(low, high, thread_limit, first);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  Parallel* league = first ? nullptr : OpenLeague(thread);
  if (first && InTargetRegion(thread))
    league = BeginParallel(nullptr, nullptr, RequestedTeamsInTarget(high), kLeague, caller);
  else if (league != nullptr)
    EndTeam(thread, league);
  const bool has_team = REAL(GOMP_teams4)(low, high, thread_limit, first);
  if (league != nullptr && has_team) ContinueAsTeam(thread, league, USER_FRAME());
  if (league != nullptr && !has_team) EndLeague(thread, league, caller.frame);
  return has_team;
}

EXPORTED void GOMP_teams(unsigned num_teams, unsigned thread_limit) {
  if (!Tracing()) return REAL(GOMP_teams)(num_teams, thread_limit);
  const Caller caller = CALLER();
  Thread& thread = this_thread;
  Parallel* league = nullptr;
  if (InTargetRegion(thread))
    league = BeginParallel(nullptr, nullptr, RequestedTeamsInTarget(num_teams), kLeague, caller);
  REAL(GOMP_teams)(num_teams, thread_limit);
  if (league != nullptr) ContinueAsTeam(thread, league, USER_FRAME());
}

}  // namespace gomp_ompt
