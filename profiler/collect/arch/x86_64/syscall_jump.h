// syscall() for x86-64. The seventh argument is on the caller's stack and must stay untouched there. If there are fewer
// arguments, a variable of the caller may have this place, and another thread may change it meanwhile. A compiler's
// version of this function would read the place and write it back.
#ifndef OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSCALL_JUMP_H_
#define OMPPROF_PROFILER_COLLECT_ARCH_X86_64_SYSCALL_JUMP_H_

// These numbers must agree with ChangesMappings.
#define OMPPROF_COLLECT_CHANGES(number) "cmp $" #number ", %%rdi\nje ompprof_changing_syscall\n"
static_assert(SYS_mmap == 9 && SYS_mprotect == 10 && SYS_munmap == 11 && SYS_mremap == 25 && SYS_madvise == 28 &&
              SYS_shmat == 30 && SYS_shmdt == 67 && SYS_remap_file_pages == 216 && SYS_pkey_mprotect == 329 &&
              SYS_process_madvise == 440);
#define OMPPROF_COLLECT_ALL_CHANGES \
  OMPPROF_COLLECT_CHANGES(9)        \
  OMPPROF_COLLECT_CHANGES(10)       \
  OMPPROF_COLLECT_CHANGES(11)       \
  OMPPROF_COLLECT_CHANGES(25)       \
  OMPPROF_COLLECT_CHANGES(28)       \
  OMPPROF_COLLECT_CHANGES(30)       \
  OMPPROF_COLLECT_CHANGES(67)       \
  OMPPROF_COLLECT_CHANGES(216)      \
  OMPPROF_COLLECT_CHANGES(329)      \
  OMPPROF_COLLECT_CHANGES(440)

// These numbers must agree with IsCutShort.
#define OMPPROF_COLLECT_SLEEPS(number) "cmp $" #number ", %%rdi\nje ompprof_sleeping_syscall\n"
static_assert(SYS_poll == 7 && SYS_ppoll == 271 && SYS_select == 23 && SYS_pselect6 == 270 && SYS_epoll_wait == 232 &&
              SYS_epoll_pwait == 281 && SYS_epoll_pwait2 == 441 && SYS_nanosleep == 35 && SYS_clock_nanosleep == 230 &&
              SYS_getrandom == 318 && SYS_io_getevents == 208 && SYS_io_pgetevents == 333 &&
              SYS_io_uring_enter == 426 && SYS_semtimedop == 220 && SYS_semop == 65 && SYS_msgsnd == 69 &&
              SYS_msgrcv == 70 && SYS_pause == 34 && SYS_rt_sigtimedwait == 128 && SYS_futex == 202 &&
              SYS_futex_waitv == 449);
// A futex (202) with a fourth argument, the timeout.
#define OMPPROF_COLLECT_TIMED_FUTEX "cmp $202, %%rdi\njne 4f\ntest %%r8, %%r8\njne ompprof_sleeping_syscall\n4:\n"
#define OMPPROF_COLLECT_ALL_SLEEPS \
  OMPPROF_COLLECT_SLEEPS(7)        \
  OMPPROF_COLLECT_SLEEPS(271)      \
  OMPPROF_COLLECT_SLEEPS(23)       \
  OMPPROF_COLLECT_SLEEPS(270)      \
  OMPPROF_COLLECT_SLEEPS(232)      \
  OMPPROF_COLLECT_SLEEPS(281)      \
  OMPPROF_COLLECT_SLEEPS(441)      \
  OMPPROF_COLLECT_SLEEPS(35)       \
  OMPPROF_COLLECT_SLEEPS(230)      \
  OMPPROF_COLLECT_SLEEPS(318)      \
  OMPPROF_COLLECT_SLEEPS(208)      \
  OMPPROF_COLLECT_SLEEPS(333)      \
  OMPPROF_COLLECT_SLEEPS(426)      \
  OMPPROF_COLLECT_SLEEPS(220)      \
  OMPPROF_COLLECT_SLEEPS(65)       \
  OMPPROF_COLLECT_SLEEPS(69)       \
  OMPPROF_COLLECT_SLEEPS(70)       \
  OMPPROF_COLLECT_SLEEPS(34)       \
  OMPPROF_COLLECT_SLEEPS(128)      \
  OMPPROF_COLLECT_SLEEPS(449)      \
  OMPPROF_COLLECT_TIMED_FUTEX

#define OMPPROF_COLLECT_SYSCALL(first, seen, other)                                               \
  extern "C" __attribute__((visibility("default"), naked)) void ompprof_syscall() asm("syscall"); \
  void ompprof_syscall() {                                                                        \
    asm volatile(OMPPROF_COLLECT_ALL_CHANGES OMPPROF_COLLECT_ALL_SLEEPS                           \
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
