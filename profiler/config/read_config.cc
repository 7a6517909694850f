#include "profiler/config/read_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/config/setting_value.h"
#include "profiler/config/settings.h"

namespace ompprof::config {
namespace {

// An empty variable counts as unset: NULL.
const char* ValueOf(const char* variable) {
  const char* value = getenv(variable);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// A long value is cut, so that the sentence has room for the accepted values.
void Refuse(const Setting& setting, const char* value, char* error, size_t size) {
  constexpr size_t kShown = 200;
  char accepted[512];
  AcceptedText(setting, accepted, sizeof accepted);
  snprintf(error, size, "%s=%.*s%s: not valid; accepted: %s", setting.variable, static_cast<int>(kShown), value,
           strlen(value) > kShown ? "..." : "", accepted);
}

}  // namespace

bool ReadConfig(Config* config, char* error, size_t size) {
  for (const Setting& setting : Settings()) {
    const char* value = ValueOf(setting.variable);
    if (setting.type.kind == SettingKind::kSignal) {
      config->signal_chosen = value != nullptr;
      if (value == nullptr) value = setting.type.unset;
    }
    if (value == nullptr || SetValue(setting, value, config)) continue;
    Refuse(setting, value, error, size);
    return false;
  }
  const char* clock = ValueOf("OMPPROF_CLOCK");
  if (config->event[0] != '\0' && clock != nullptr) {
    snprintf(
        error, size,
        "OMPPROF_EVENT=%s and OMPPROF_CLOCK=%s: give only one of the two, because an event takes the place of a clock",
        config->event, clock);
    return false;
  }
  if (config->event[0] != '\0' && config->count[0] != '\0') {
    snprintf(error, size,
             "OMPPROF_EVENT=%s and OMPPROF_COUNT=%s: give only one of the two, because events are counted at samples "
             "that a clock times",
             config->event, config->count);
    return false;
  }
  return true;
}

}  // namespace ompprof::config
