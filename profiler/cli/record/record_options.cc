#include "profiler/cli/record/record_options.h"

#include <cstdlib>

#include "profiler/cli/options/setting_text.h"
#include "profiler/config/read_config.h"
#include "profiler/config/settings.h"

namespace ompprof::cli {
namespace {

// "OMPPROF_MAX_DEPTH=3: ..." becomes "--max-depth=3: ..." where the user gave the option. A sentence about two settings
// has the second one behind an "and".
std::string InTermsOfOptions(std::string sentence, const GivenSettings& given) {
  for (const config::Setting& setting : config::Settings()) {
    if (given.count(setting.variable) == 0) continue;
    const std::string variable = std::string(setting.variable) + "=";
    const std::string second = " and " + variable;
    size_t at = sentence.compare(0, variable.size(), variable) == 0 ? 0 : sentence.find(second);
    if (at == std::string::npos) continue;
    if (at != 0) at += second.size() - variable.size();
    sentence.replace(at, variable.size(), LongOption(setting) + "=");
  }
  return sentence;
}

// In braces, for OptionsOf: "HOW:{cfi,fp,libunwind}".
std::string TypeName(const config::Setting& setting) {
  std::string name;
  for (const std::string& choice : ChoicesOf(setting)) name += (name.empty() ? ":{" : ",") + choice;
  return setting.placeholder + (name.empty() ? "" : name + "}");
}

}  // namespace

void AddSettingOptions(CLI::App* command, const std::shared_ptr<GivenSettings>& given, const std::string& without) {
  for (const config::Setting& setting : config::Settings()) {
    const std::string variable = setting.variable;
    if (variable == without) continue;
    if (setting.type.kind == config::SettingKind::kFlag) {
      command->add_flag_callback(
          setting.option, [given, variable, value = FlagValue(setting)] { (*given)[variable] = value; },
          OptionHelp(setting));
      continue;
    }
    // ApplySettings checks the value, in the same way as a variable's.
    CLI::Option* option = command->add_option_function<std::string>(
        setting.option, [given, variable](const std::string& value) { (*given)[variable] = value; },
        OptionHelp(setting));
    option->type_name(TypeName(setting))->default_str(DefaultText(setting));
    // The names of events are too many for the column of options: the list of variables has them.
    if (setting.type.kind == config::SettingKind::kEvent)
      option->option_text(std::string(setting.placeholder) + "=" + DefaultText(setting));
  }
}

model::Status ApplySettings(const GivenSettings& given, config::Config* config) {
  for (const auto& [variable, value] : given) {
    if (!value.empty()) setenv(variable.c_str(), value.c_str(), 1);
  }
  *config = config::Config();
  char error[1024];
  // The collector reads the same variables by the same code, so this refuses every value that the collector would.
  if (!config::ReadConfig(config, error, sizeof error)) return model::Status(InTermsOfOptions(error, given));
  return model::Status();
}

}  // namespace ompprof::cli
