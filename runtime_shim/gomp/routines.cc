// The API routines that have no event: questions, settings, memory. The first of them starts the tool, as the first
// construct does ("before any environment routine completes", TR6-era chapter; "triggered by the first OpenMP directive
// or OpenMP API routine call", OpenMP examples, OMPT start).
//
// Some of these are called very often (omp_get_thread_num, omp_get_wtime). So each is a branch that asks whether a tool
// has been looked for, and a jump to the real function.
#include <time.h>

#include "runtime_shim/gomp/enter.h"
#include "runtime_shim/gomp/jump_stub.h"

namespace gomp_ompt {
namespace {

// A routine of the runtime. `alone` answers if there is no runtime: a library that has a weak reference to the routine
// finds the shim's, and must get the answer of a program of one thread.
struct Routine {
  RealFunction real;
  AnyFunction alone;
};
static_assert(offsetof(Routine, real) == 0, "as the assembly has it");

long Nothing() { return 0; }
long One() { return 1; }

double Wtime() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
double Wtick() { return 1e-9; }

template <class Integer>
void Schedule(Integer* kind, Integer* chunk) {
  *kind = 1;  // static
  *chunk = 0;
}

}  // namespace

// The first call of the process: looks for a tool.
FROM_STUB void gomp_ompt_first_routine() { Tracing(); }

// The real routine for the caller above `frame`.
FROM_STUB AnyFunction gomp_ompt_find_routine(Routine* routine) {
  const AnyFunction found = FindFunction(routine->real);
  return found != nullptr ? found : routine->alone;
}

// Calls `function` between the user's call of a routine, whose Routine is in rax, and the routine itself. The routines
// have integer arguments only. The frame is one that CallerAddress can walk over.
#define BEFORE_ROUTINE(name, function, jump)                                                                      \
  asm(".pushsection .text\n"                                                                                      \
      ".type " #name ", @function\n.p2align 4\n" #name                                                            \
      ":\n.cfi_startproc\n"                                                                                       \
      "push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\nmov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"    \
      "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\nsub $8, %rsp\nmov %rax, %rdi\n" \
      "call " #function                                                                                           \
      "\nmov %rax, %r11\nadd $8, %rsp\npop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\n"                \
      "pop %rdi\npop %rbp\n.cfi_def_cfa %rsp, 8\njmp " jump "\n.cfi_endproc\n.size " #name ", .-" #name           \
      "\n.popsection\n")

BEFORE_ROUTINE(gomp_ompt_start_at_routine, gomp_ompt_first_routine, "*16(%rax)");
BEFORE_ROUTINE(gomp_ompt_look_up_routine, gomp_ompt_find_routine, "*%r11");

// Exports the routine. name_look_up is its pointer until one real function serves all callers.
#define C_ROUTINE(name, alone)                                                                                   \
  HIDDEN void name##_look_up();                                                                                  \
  HIDDEN Routine name##_real;                                                                                    \
  Routine name##_real = {{#name, nullptr, name##_look_up}, reinterpret_cast<AnyFunction>(&alone)};               \
  static RealFunction* const listed_##name __attribute__((section("real_functions"), used)) = &name##_real.real; \
  STUB_(name, "cmpb $0, _ZN9gomp_ompt9tool_modeE(%rip)\nje 1f\n" STUB_REAL_(                                     \
                  name) "1: lea " #name "_real(%rip), %rax\njmp gomp_ompt_start_at_routine\n")                   \
  asm(".pushsection .text\n.type " #name "_look_up, @function\n" #name                                           \
      "_look_up:\n.cfi_startproc\nendbr64\nlea " #name                                                           \
      "_real(%rip), %rax\njmp gomp_ompt_look_up_routine\n.cfi_endproc\n.size " #name "_look_up, .-" #name        \
      "_look_up\n.popsection\n");

// With Fortran's routine, and with the one for -fdefault-integer-8.
#define ROUTINE(name, alone) C_ROUTINE(name, alone) C_ROUTINE(name##_, alone)
#define ROUTINE_8(name, alone) ROUTINE(name, alone) C_ROUTINE(name##_8_, alone)

static_assert(static_cast<int>(Mode::kUndecided) == 0, "as the assembly has it");

C_ROUTINE(GOMP_interop, Nothing)
C_ROUTINE(omp_aligned_alloc, Nothing)
C_ROUTINE(omp_aligned_calloc, Nothing)
C_ROUTINE(omp_alloc, Nothing)
C_ROUTINE(omp_calloc, Nothing)
ROUTINE(omp_capture_affinity, Nothing)
ROUTINE(omp_destroy_allocator, Nothing)
ROUTINE(omp_display_affinity, Nothing)
ROUTINE_8(omp_display_env, Nothing)
C_ROUTINE(omp_free, Nothing)
ROUTINE(omp_get_active_level, Nothing)
ROUTINE(omp_get_affinity_format, Nothing)
ROUTINE_8(omp_get_ancestor_thread_num, Nothing)
ROUTINE(omp_get_cancellation, Nothing)
ROUTINE(omp_get_default_allocator, Nothing)
ROUTINE(omp_get_default_device, Nothing)
ROUTINE(omp_get_device_from_uid, Nothing)
ROUTINE(omp_get_device_num, Nothing)
ROUTINE(omp_get_dynamic, Nothing)
ROUTINE(omp_get_initial_device, Nothing)
C_ROUTINE(omp_get_interop_int, Nothing)
ROUTINE(omp_get_interop_name, Nothing)
C_ROUTINE(omp_get_interop_ptr, Nothing)
ROUTINE(omp_get_interop_rc_desc, Nothing)
ROUTINE(omp_get_interop_str, Nothing)
ROUTINE(omp_get_interop_type_desc, Nothing)
ROUTINE(omp_get_level, Nothing)
C_ROUTINE(omp_get_mapped_ptr, Nothing)
ROUTINE(omp_get_max_active_levels, One)
ROUTINE(omp_get_max_task_priority, Nothing)
ROUTINE(omp_get_max_teams, Nothing)
ROUTINE(omp_get_max_threads, One)
ROUTINE(omp_get_nested, Nothing)
ROUTINE(omp_get_num_devices, Nothing)
C_ROUTINE(omp_get_num_interop_properties, Nothing)
ROUTINE(omp_get_num_places, Nothing)
ROUTINE(omp_get_num_procs, One)
ROUTINE(omp_get_num_teams, One)
ROUTINE(omp_get_num_threads, One)
ROUTINE(omp_get_partition_num_places, Nothing)
ROUTINE_8(omp_get_partition_place_nums, Nothing)
ROUTINE(omp_get_place_num, Nothing)
ROUTINE_8(omp_get_place_num_procs, Nothing)
ROUTINE_8(omp_get_place_proc_ids, Nothing)
ROUTINE(omp_get_proc_bind, Nothing)
ROUTINE(omp_get_schedule, Schedule<int>)
C_ROUTINE(omp_get_schedule_8_, Schedule<long>)
ROUTINE(omp_get_supported_active_levels, One)
ROUTINE(omp_get_team_num, Nothing)
ROUTINE_8(omp_get_team_size, One)
ROUTINE(omp_get_teams_thread_limit, Nothing)
ROUTINE(omp_get_thread_limit, One)
ROUTINE(omp_get_thread_num, Nothing)
ROUTINE_8(omp_get_uid_from_device, Nothing)
ROUTINE(omp_get_wtick, Wtick)
ROUTINE(omp_get_wtime, Wtime)
ROUTINE(omp_in_explicit_task, Nothing)
ROUTINE(omp_in_final, Nothing)
ROUTINE(omp_in_parallel, Nothing)
ROUTINE_8(omp_init_allocator, Nothing)
ROUTINE(omp_is_initial_device, One)
ROUTINE(omp_pause_resource, Nothing)
ROUTINE(omp_pause_resource_all, Nothing)
C_ROUTINE(omp_realloc, Nothing)
ROUTINE(omp_set_affinity_format, Nothing)
ROUTINE(omp_set_default_allocator, Nothing)
ROUTINE_8(omp_set_default_device, Nothing)
ROUTINE_8(omp_set_dynamic, Nothing)
ROUTINE_8(omp_set_max_active_levels, Nothing)
ROUTINE_8(omp_set_nested, Nothing)
ROUTINE_8(omp_set_num_teams, Nothing)
ROUTINE_8(omp_set_num_threads, Nothing)
ROUTINE_8(omp_set_schedule, Nothing)
ROUTINE_8(omp_set_teams_thread_limit, Nothing)
C_ROUTINE(omp_target_is_accessible, Nothing)
C_ROUTINE(omp_target_is_present, Nothing)

}  // namespace gomp_ompt
