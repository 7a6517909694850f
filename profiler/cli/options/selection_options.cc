#include "profiler/cli/options/selection_options.h"

#include <cstdint>

#include "profiler/cli/options/values.h"

namespace ompprof::cli {

void AddSelectionOptions(CLI::App* command, analyze::Selection* selection, const std::string& group) {
  CLI::Option* options[] = {
      command
          ->add_option("--phase", selection->phase,
                       "Only what ran in this phase, and in the phases inside it: outer/inner (default: all)")
          ->type_name("NAME"),
      command
          ->add_option("--region", selection->region,
                       "Only what ran in this parallel region, without regions nested in it: its function, file:line, "
                       "or a part of its name (default: all)")
          ->type_name("NAME"),
      command->add_option("--thread", selection->thread, "Only what thread ID did (default: all threads)")
          ->type_name("ID")
          ->check(Whole(0, UINT32_MAX))};
  for (CLI::Option* option : options) {
    if (!group.empty()) option->group(group);
  }
}

}  // namespace ompprof::cli
