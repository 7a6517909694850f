#include "profiler/cli/commands/commands.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/commands/unify.h"
#include "profiler/cli/files/load.h"
#include "profiler/cli/files/profile_files.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/output/replaceable.h"
#include "profiler/model/merge.h"
#include "profiler/model/profile_header.h"
#include "profiler/model/replacement_file.h"

namespace ompprof::cli {
namespace {

struct MergeArguments {
  UnifyArguments files;
  bool unify = false;
  bool force = false;
};

// Whether the output is an earlier unified job that lies in a folder of the profiles. It is no input then.
bool ReplacesJob(const UnifyArguments& given) {
  const auto is_output = [&](const std::string& file) { return model::IsSameFile(file, given.output); };
  Header header;
  return std::none_of(given.files.begin(), given.files.end(), is_output) && model::ReadHeader(given.output, &header) &&
         header.has_unified();
}

int Run(const MergeArguments& options) {
  const UnifyArguments& given = options.files;
  if (!ReplacesJob(given) && IsInput(given.output, given.files)) return kUsage;
  if (!MayReplaceJob(given.output, options.force)) return kUsage;
  if (options.unify) return RunUnify(given);
  ProfileFiles found = FindProfiles(given.files);
  for (const std::string& sentence : LeaveOutJobs(&found)) Complain(sentence);
  for (const std::string& fault : found.faults) Complain(fault);
  const model::MergeResult merged = model::MergeProfiles(found.Paths(), given.output);
  for (const std::string& complaint : merged.complaints) Complain(complaint);
  if (!merged.status.ok()) Complain(merged.status.sentence());
  return merged.status.ok() && merged.complaints.empty() && found.faults.empty() ? kSuccess : kFailure;
}

}  // namespace

void AddMergeCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<MergeArguments>();
  CLI::App* command = app->add_subcommand("merge", "Put the profiles of many processes into one file");
  command->footer(
      "Every command reads the merged file as it reads the separate files: each process keeps its program, host,\n"
      "process id and rank. merge takes the readable part of a profile that was cut short.\n"
      "\n"
      "With --unify, the processes of one program become one process whose figures are sums. The file grows with the\n"
      "distinct call paths and not with the processes. It has the spread of each figure over the processes: least,\n"
      "largest and mean value, standard deviation, and a histogram. `report --ranks` shows it. A profile that is cut\n"
      "or damaged is left out.\n"
      "\n"
      "A process is an outlier if its distance from the mean process is large: the differences of its CPU time, added\n"
      "up over call paths, and of its waits, added up over states; as a part of the mean process's sum. The limit is\n"
      "the median distance and three times the standard deviation. Up to 16 outliers keep their own records.\n"
      "\n"
      "Under mpirun or srun, the launched processes unify the job together.\n"
      "\n"
      "Examples:\n"
      "  mpirun -n 64 ompprof record -o 'part.%r.ompprof' -- ./solver\n"
      "  ompprof merge -o solver.ompprof part.*.ompprof\n"
      "  ompprof merge --unify -o job.ompprof part.*.ompprof\n"
      "  mpirun -n 8 ompprof merge --unify -o job.ompprof parts\n"
      "  ompprof report --ranks job.ompprof");
  command->add_flag("--force", options->force, kForceHelp);
  command->add_option("-o,--output", options->files.output, "File to write; the file appears when it is complete")
      ->type_name("OUT")
      ->required();
  CLI::Option* unify =
      command->add_flag("--unify", options->unify, "Add up the processes of each program, and keep their spread");
  command
      ->add_option("--keep", options->files.keep,
                   "With --unify, the processes whose records stay as well: all, those that differ most, or none")
      ->check(OneOf(KeepWords()))
      ->capture_default_str()
      ->needs(unify);
  command->add_option("--jobs", options->files.jobs, "With --unify, the number of threads")
      ->type_name("N")
      ->check(Whole(1, 1024))
      ->capture_default_str()
      ->needs(unify);
  command->add_option("FILE", options->files.files, kFilesHelp)->required();
  command->callback([options, status] { *status = Run(*options); });
}

}  // namespace ompprof::cli
