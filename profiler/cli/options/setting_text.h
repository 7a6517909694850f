// What people read about settings, made from the table of settings (profiler/config/settings.h): the help of record's
// options, the ENVIRONMENT sections, and the table of the documentation.
#ifndef OMPPROF_PROFILER_CLI_OPTIONS_SETTING_TEXT_H_
#define OMPPROF_PROFILER_CLI_OPTIONS_SETTING_TEXT_H_

#include <string>
#include <vector>

#include "profiler/config/settings.h"

namespace ompprof::cli {

// "--frequency" of "-F,--frequency".
std::string LongOption(const config::Setting& setting);

// The value that the option of a kFlag gives to the variable.
std::string FlagValue(const config::Setting& setting);

// The values to choose from: words, or the names of events. Empty where the setting is a number or a free text.
std::vector<std::string> ChoicesOf(const config::Setting& setting);

// The value without the option: "199". Empty: none.
std::string DefaultText(const config::Setting& setting);

// What the variable accepts: "a whole number of frames from 16 to 16384".
std::string AcceptedText(const config::Setting& setting);

// "Frames to keep of a deep stack (16 to 16384; OMPPROF_MAX_DEPTH)"
std::string OptionHelp(const config::Setting& setting);

// The variables of all settings, a line each, with what each variable accepts: for `ompprof record --help`.
std::string EnvironmentHelp();

// The tables of profiler/config/README.md, in Markdown: the settings, and the variables that are no option's.
std::string SettingsTable();

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_OPTIONS_SETTING_TEXT_H_
