// The values of settings as text: reading, and writing back. ReadConfig, the help and the documentation use this.
// libc only; nothing here allocates.
#ifndef OMPPROF_PROFILER_CONFIG_SETTING_VALUE_H_
#define OMPPROF_PROFILER_CONFIG_SETTING_VALUE_H_

#include <stddef.h>

#include "profiler/config/config.h"
#include "profiler/config/settings.h"

namespace ompprof::config {

// Sets the setting's member of `config` to what `text` says. False, with `config` as before, if `text` is not valid.
bool SetValue(const Setting& setting, const char* text, Config* config);

// What the setting accepts, as the end of a sentence: "a whole number of frames from 16 to 16384".
// In `out`, cut to `size` bytes.
void AcceptedText(const Setting& setting, char* out, size_t size);

// The limits of a number, for help: "16 to 16384". Empty for other kinds.
void LimitsText(const Setting& setting, char* out, size_t size);

// The setting's value in `config`, as the variable accepts it: "199", "256M", "wall". Where Config has none, the row's
// `unset`.
void ValueText(const Setting& setting, const Config& config, char* out, size_t size);

}  // namespace ompprof::config

#endif  // OMPPROF_PROFILER_CONFIG_SETTING_VALUE_H_
