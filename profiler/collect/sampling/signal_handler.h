// The sampling signal.
#ifndef OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_
#define OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_

#include <signal.h>

namespace ompprof::collect {

// Installs the handler for session.config.signal and keeps what was there. False if the system refuses.
bool InstallSignalHandler();

// What the program had (or believes to have) installed for the signal.
const struct sigaction& ProgramsAction();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_SAMPLING_SIGNAL_HANDLER_H_
