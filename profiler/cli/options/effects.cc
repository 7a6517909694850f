#include "profiler/cli/options/effects.h"

#include "profiler/cli/options/complaint.h"

namespace ompprof::cli {

bool AllHaveEffect(const CLI::App& command, const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) {
    if (effect.has_effect || command.get_option(effect.option)->count() == 0) continue;
    Complain(command.get_name() + ": " + effect.option + " has no effect " + effect.reason);
    return false;
  }
  return true;
}

}  // namespace ompprof::cli
