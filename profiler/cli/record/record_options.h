// The options of `ompprof record` that stand for OMPPROF_* variables, made from the table of settings
// (profiler/config/settings.h). The collector reads the variables only, so a program can also be profiled by setting
// the variables and LD_PRELOAD by hand.
#ifndef OMPPROF_PROFILER_CLI_RECORD_RECORD_OPTIONS_H_
#define OMPPROF_PROFILER_CLI_RECORD_RECORD_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "profiler/config/config.h"
#include "profiler/model/status.h"

namespace ompprof::cli {

// Variables and their values, for the options that the user gave.
using GivenSettings = std::map<std::string, std::string>;

// Adds the option of each setting to `command`, except that of the variable `without`. When options are parsed, their
// values go to `given`.
void AddSettingOptions(CLI::App* command, const std::shared_ptr<GivenSettings>& given, const std::string& without = "");

// Sets the variables of `given` in this process's environment, and reads all settings into `config`. The caller's own
// OMPPROF_* variables stay in force where no option is given. The status has a sentence about the first setting that
// is not valid; that sentence names an option where the user gave the option.
model::Status ApplySettings(const GivenSettings& given, config::Config* config);

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_RECORD_RECORD_OPTIONS_H_
