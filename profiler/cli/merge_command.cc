#include "profiler/cli/merge_command.h"

#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/load.h"
#include "profiler/model/merge.h"

namespace ompprof::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string output;
};

int Run(const Options& options) {
  const model::MergeResult merged = model::MergeProfiles(options.files, options.output);
  for (const std::string& complaint : merged.complaints) Complain(complaint);
  if (!merged.status.ok()) Complain(merged.status.sentence());
  return merged.status.ok() && merged.complaints.empty() ? kSuccess : kFailure;
}

}  // namespace

void AddMergeCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app->add_subcommand("merge", "Put the profiles of many processes into one file");
  command->footer(
      "Every command reads the merged file as it reads the separate files: each process keeps its program, host,\n"
      "process id and rank. merge takes the readable part of a profile that was cut short.\n"
      "\n"
      "Examples:\n"
      "  mpirun -n 64 ompprof record -o 'part.%r.ompprof' -- ./solver\n"
      "  ompprof merge -o solver.ompprof part.*.ompprof\n"
      "  ompprof report --ranks solver.ompprof");
  command->add_option("-o,--output", options->output, "File to write; the file appears when it is complete")
      ->type_name("OUT")
      ->required();
  command->add_option("FILE", options->files, "Profiles that `ompprof record` or `ompprof merge` wrote")->required();
  command->callback([options, status] { *status = Run(*options); });
}

}  // namespace ompprof::cli
