// The sampling signal.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_

#include <signal.h>

namespace ompprof::collect {

// Installs the handler for session.config.signal and keeps what was there. False if the system refuses.
bool InstallSignalHandler();

// What the program had (or believes to have) installed for the signal.
const struct sigaction& ProgramsAction();

// The program may have replaced the handler past libc, by a system call.
bool HandlerIsOurs();

// Signals that are under way to a thread that blocks them are dropped: the program would take them for its own, or die
// of them. The handler stays.
void DropPendingSignals();

// The signal is the program's again, as it was. No timer nor event may be left that sends it. `await_handlers` is
// called in between, while the signal is ignored: no handler may run any more when it returns.
void GiveSignalBack(void (*await_handlers)());

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_
