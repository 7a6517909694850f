// Installs and removes the sampling signal's handler, and keeps the program's action for that signal.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_

#include <signal.h>

namespace ompprof::collect {

// Installs the handler for session.config.signal, and keeps the previous action. False if the system refuses.
bool InstallSignalHandler();

// The program takes session.config.signal for itself: chooses another for it, and installs the handler for that. False:
// no signal is free.
bool InstallHandlerOfAnotherSignal();

// The action that the program had installed for the signal, or believes to have installed.
const struct sigaction& ProgramsAction();

// The program may have replaced the handler past libc, by a system call.
bool HandlerIsOurs();

// Drops the signals that are pending for threads that block them. Otherwise the program would take them for its own, or
// die of them. The handler stays.
void DropPendingSignals();

// Gives the signal back to the program, with the program's action. Beforehand, all timers and events that send the
// signal must have ended. `await_handlers` is called in between, while the signal is ignored. After its return, no
// handler may run any more.
void GiveSignalBack(void (*await_handlers)());

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_
