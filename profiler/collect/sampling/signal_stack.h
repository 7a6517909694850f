// Chooses the stack of the sampling signal's handler: the thread's present stack, or its alternate signal stack
// (SA_ONSTACK). The flag holds for the process; alternate stacks belong to threads. The wrappers of sigaltstack and
// sigaction (interpose.cc) report the program's use of both, and the handler's flag follows.
//
// The kernel puts a frame of 1 to 11 KiB (AT_MINSIGSTKSZ) on the chosen stack, and a sample takes 2.5 KB below the
// frame. A sample comes whenever the thread runs, unlike the signals for which a program sets its alternate stack. So
// with SA_ONSTACK each of these stacks is overwritten, or the program ends in SIGSEGV:
//   - alternate stacks of 2,048 bytes (MINSIGSTKSZ), AT_MINSIGSTKSZ or 4,096: there is no room;
//   - coroutines made by the sigaltstack trick: their frames live there while the thread runs elsewhere;
//   - memory that was freed or unmapped while it was still set: most programs never notice.
//
// Without SA_ONSTACK, a thread on its own stack has room. A thread that runs on stacks of a few hundred bytes has no
// room. Such a thread needs an alternate stack for any signal. The program then asks for it with all of its handlers:
//   - Go's threads (goroutines) set their stacks by a system call of their own. When Go is loaded, it adds
//     SA_ONSTACK to the handlers that it finds. Java's threads have no alternate stacks.
//   - Erlang, gccgo and similar runtimes set stacks by libc and handle many signals, all with SA_ONSTACK.
//   - OCaml 5 handles only SIGSEGV by itself; its runtime's symbols show it.
//
// The choice:
//   - SA_ONSTACK is on until the program calls libc's sigaltstack. A program that sets a stack otherwise is similar
//     to Go.
//   - From that call on, before it takes effect, SA_ONSTACK is off. It stays on if the program is known to run on small
//     stacks (kAsksForAll asynchronous signals handled with SA_ONSTACK, or OCaml 5) and its alternate stacks have room.
//   - A flag that other code has set on our handler stays.
//
// The program's own handlers run on an alternate stack, and the sampling signal may interrupt them there. If the stack
// is too small for two frames, the signal waits until such a handler returns. For this, the signal is added to the
// handler's mask, and the program's sigaction does not show it. That time is in `<not sampled: signal handler>`,
// with a note.
// SS_AUTODISARM makes no difference: the kernel disarms and arms around each handler, on any stack.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_STACK_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_STACK_H_

#include <signal.h>
#include <stddef.h>

namespace ompprof::collect {

// The program is about to give the calling thread `stack`, by libc. Any thread of the program, also in its handlers.
void NoteAlternateStack(const stack_t& stack);

// The program's sigaction for any signal except the sampling signal.
int SetProgramsAction(int number, const struct sigaction* action, struct sigaction* old);

// The least room for a handler of the program's and a sample within it, in bytes.
size_t RoomForTwo();

// Whether the sampling signal waits until some of the program's handlers return. Async-signal-safe.
bool WaitsForHandlers();

// SA_ONSTACK or 0, for the handler's installation. `late`: alternate stacks and handlers may exist that nobody has
// reported. Called before the handler is installed.
int SignalStackFlag(bool late);

// The handler was installed with `flags`. From now on, the flag follows the program's use of stacks and handlers.
void FollowSignalStacks(void (*handler)(int, siginfo_t*, void*), int flags);

// The program takes the sampling signal for itself: its handlers get back the masks that the program gave them.
void RestoreMasks();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_STACK_H_
