// The OMPPROF_* environment, read and checked. The collector reads it once, before it samples. `ompprof record` sets
// the environment from its options and reads it too, so that it refuses what the collector would refuse. libc only.
#ifndef OMPPROF_PROFILER_CONFIG_READ_CONFIG_H_
#define OMPPROF_PROFILER_CONFIG_READ_CONFIG_H_

#include <stddef.h>

#include "profiler/config/config.h"

namespace ompprof::config {

// Reads the environment into `config`. Called before threads exist; allocates nothing.
// False if a value is not valid: `error` (capacity `size`) then holds a sentence that names the variable, its value and
// the values that the variable accepts.
bool ReadConfig(Config* config, char* error, size_t size);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_READ_CONFIG_H_
