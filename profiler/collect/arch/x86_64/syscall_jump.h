// syscall() for x86-64. The seventh argument is on the caller's stack and must stay untouched there. If there are fewer
// arguments, a variable of the caller may have this place, and another thread may change it meanwhile. A compiler's
// version of this function would read the place and write it back.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSCALL_JUMP_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSCALL_JUMP_H_

// To `target` if the number is in the table.
#define OMPPROF_COLLECT_IF_IN(table, target) \
  "lea " #table                              \
  "(%%rip), %%rax\n"                         \
  "bt %%rdi, (%%rax)\n"                      \
  "jc " #target "\n"
static_assert(ompprof::collect::SystemCalls::kMost == 512);
#define OMPPROF_COLLECT_IF_KNOWN                                                    \
  "cmp $511, %%rdi\n"                                                               \
  "ja 4f\n" OMPPROF_COLLECT_IF_IN(ompprof_changing_calls, ompprof_changing_syscall) \
      OMPPROF_COLLECT_IF_IN(ompprof_sleeping_calls, ompprof_sleeping_syscall)
// A futex (202) with a fourth argument, the timeout.
static_assert(SYS_futex == 202);
#define OMPPROF_COLLECT_IF_TIMED_FUTEX "cmp $202, %%rdi\njne 4f\ntest %%r8, %%r8\njne ompprof_sleeping_syscall\n4:\n"

#define OMPPROF_COLLECT_SYSCALL(first, seen, other)                                               \
  extern "C" __attribute__((visibility("default"), naked)) void ompprof_syscall() asm("syscall"); \
  void ompprof_syscall() {                                                                        \
    asm volatile(OMPPROF_COLLECT_IF_KNOWN OMPPROF_COLLECT_IF_TIMED_FUTEX                          \
                 "lea -%c0(%%rdi), %%rax\n"                                                       \
                 "cmp $63, %%rax\n"                                                               \
                 "ja 1f\n"                                                                        \
                 "movabs %1, %%r10\n"                                                             \
                 "bt %%rax, %%r10\n"                                                              \
                 "jc 3f\n"                                                                        \
                 "jmp 2f\n"                                                                       \
                 "1: cmp %2, %%rdi\n"                                                             \
                 "je 3f\n"                                                                        \
                 "2: mov ompprof_next_syscall(%%rip), %%rax\n"                                    \
                 "test %%rax, %%rax\n"                                                            \
                 "je 3f\n"                                                                        \
                 "jmp *%%rax\n"                                                                   \
                 "3: push %%rdi\n"                                                                \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "push %%rsi\n"                                                                   \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "push %%rdx\n"                                                                   \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "push %%rcx\n"                                                                   \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "push %%r8\n"                                                                    \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "push %%r9\n"                                                                    \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "sub $8, %%rsp\n"                                                                \
                 ".cfi_adjust_cfa_offset 8\n"                                                     \
                 "call ompprof_before_syscall\n"                                                  \
                 "add $8, %%rsp\n"                                                                \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "pop %%r9\n"                                                                     \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "pop %%r8\n"                                                                     \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "pop %%rcx\n"                                                                    \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "pop %%rdx\n"                                                                    \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "pop %%rsi\n"                                                                    \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "pop %%rdi\n"                                                                    \
                 ".cfi_adjust_cfa_offset -8\n"                                                    \
                 "jmp *%%rax" ::"i"(first),                                                       \
                 "i"(seen), "i"(other));                                                          \
  }

#define OMPPROF_COLLECT_VFORK(name)                                                               \
  extern "C" __attribute__((visibility("default"), naked)) void ompprof_jump_##name() asm(#name); \
  void ompprof_jump_##name() {                                                                    \
    asm volatile(                                                                                 \
        "sub $8, %rsp\n"                                                                          \
        ".cfi_adjust_cfa_offset 8\n"                                                              \
        "call ompprof_before_vfork\n"                                                             \
        "add $8, %rsp\n"                                                                          \
        ".cfi_adjust_cfa_offset -8\n"                                                             \
        "jmp *%rax");                                                                             \
  }

#endif  // OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSCALL_JUMP_H_
