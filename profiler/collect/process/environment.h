// The entries of an environment that bring the collector into a program, and the environment without them: for programs
// that the collector must not be in. Those entries are what `ompprof record` adds (profiler/cli/commands/record.cc), or
// the user by hand. Nothing here takes a lock or allocates: the caller may be a child of vfork.
#ifndef OMPPROF_PROFILER_COLLECT_PROCESS_ENVIRONMENT_H_
#define OMPPROF_PROFILER_COLLECT_PROCESS_ENVIRONMENT_H_

#include <stddef.h>

namespace ompprof::collect {

// Finds this library's own file. Called once, before the program executes another program.
void RememberOwnFile();
// Its path, as the loader knows it; before RememberOwnFile, only its name.
const char* OwnFile();

// Whether `environment` loads the collector.
bool NamesUs(char* const* environment);

// Whether the collector is in `list`, paths with colons or blanks between them.
bool ListNamesUs(const char* list);

// The environment without the collector. The result is `environment` itself if nothing had to be left out, otherwise a
// copy. `memory` has EnvironmentBytes(environment) bytes.
size_t EnvironmentBytes(char* const* environment);
char* const* EnvironmentWithoutUs(char* const* environment, void* memory);

// Takes the collector out of this process's own environment: for programs that libc executes without our wrappers.
// Changes the environment in place, as putenv would: other threads may be reading.
void LeaveEnvironment();

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_PROCESS_ENVIRONMENT_H_
