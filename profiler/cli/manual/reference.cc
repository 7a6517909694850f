#include "profiler/cli/manual/reference.h"

#include "profiler/cli/options/setting_text.h"
#include "profiler/config/settings.h"

namespace ompprof::cli {
namespace {

using ReferenceEntries = std::vector<ReferenceEntry>;

bool IsOneOf(const std::string& command, const std::vector<const char*>& commands) {
  for (const char* one : commands) {
    if (command == one) return true;
  }
  return false;
}

// Commands that name functions and lines.
bool NamesFunctions(const std::string& command) {
  return IsOneOf(command, {"report", "annotate", "top", "serve", "diff", "scale", "whatif", "export"});
}

bool UsesPager(const std::string& command) { return IsOneOf(command, {"report", "annotate"}); }

void Append(const ReferenceEntries& more, ReferenceEntries* entries) {
  entries->insert(entries->end(), more.begin(), more.end());
}

ReferenceEntries RecordVariables() {
  ReferenceEntries entries;
  for (const config::Setting& setting : config::Settings()) {
    const std::string standard = DefaultText(setting);
    entries.push_back({setting.variable, LongOption(setting) + ". Accepts " + AcceptedText(setting) +
                                             (standard.empty() ? "" : ". Default: " + standard)});
  }
  return entries;
}

constexpr char kUsualName[] = "ompprof.PROGRAM.HOST.PID.ompprof";

ReferenceEntries RecordFiles() {
  return {{kUsualName,
           "The profile, if --output names no other file. For an MPI rank, the rank stands behind the host. For a "
           "script, PROGRAM is its interpreter"},
          {"run.ompprof",
           "The profile, with -o run.ompprof. The profiles of the processes that the program starts are run.1.ompprof, "
           "run.2.ompprof and so on"},
          {"run.ompprof.old", "The profile of the earlier run to the same name; likewise run.1.ompprof.old"},
          {"PREFIX/lib/libompprof.so", "The collector, which is preloaded into the program"},
          {"PREFIX/lib/libgomp_ompt.so", "The shim for programs on GCC's libgomp, which is preloaded as well"},
          {"PREFIX/include/ompprof.h", "Labels, and the start and pause of sampling, for programs"}};
}

const ReferenceEntry kFamily = {
    "run.ompprof",
    "A profile. The other profiles of its run, run.1.ompprof, run.2.ompprof and so on, are read with it"};

}  // namespace

ReferenceEntries VariablesOf(const std::string& command) {
  if (command == "record") return RecordVariables();
  ReferenceEntries entries;
  if (command == "scale") Append(RecordVariables(), &entries);
  if (command.empty()) {
    for (const config::OtherVariable& variable : config::OtherVariables())
      entries.push_back({variable.name, variable.help});
  }
  if (UsesPager(command)) {
    Append({{"OMPPROF_PAGER, PAGER",
             "Command that shows a text longer than the screen, unless --no-pager is given. Default: less -RFX"},
            {"NO_COLOR", "Any value: no colours, unless --color=always is given"},
            {"TERM", "dumb: no colours, unless --color=always is given"},
            {"COLUMNS, LINES", "Size of the screen, instead of the terminal's own; --width overrides COLUMNS"}},
           &entries);
  }
  if (NamesFunctions(command)) {
    Append({{"DEBUGINFOD_URLS", "Servers of debug information for program files that have none. Default: none"},
            {"DEBUGINFOD_TIMEOUT", "Seconds to wait for such a server. Default: 10"},
            {"OMPPROF_CACHE_SIZE",
             "Most bytes that the cache of names and lines takes, with K, M or G behind the number; 0: no cache. "
             "Default: 256M"},
            {"XDG_CACHE_HOME", "Folder around the cache. Default: ~/.cache"}},
           &entries);
  }
  return entries;
}

ReferenceEntries FilesOf(const std::string& command) {
  if (command.empty()) {
    ReferenceEntries entries = RecordFiles();
    entries.push_back({"PREFIX/share/ompprof",
                       "The documentation, the format of profiles, and the JSON Schema of the outputs (schema.json)"});
    return entries;
  }
  if (command == "record") return RecordFiles();
  if (command == "help") return {};
  if (command == "top") return {{kUsualName, "The profile that the program is writing"}};
  if (IsOneOf(command, {"info", "merge"})) return {{kUsualName, "A profile, or a merged file of several"}};
  ReferenceEntries entries = {kFamily};
  if (command == "scale") {
    entries.push_back({"ompprof.scale.PROGRAM.PID/",
                       "The profiles of the runs that scale records, if --output names no other folder"});
  }
  if (command == "diff") {
    entries.push_back({".ompprof/baselines/NAME/",
                       "The baseline NAME: copies of profiles, if --baseline-folder names no other folder than "
                       ".ompprof/baselines"});
  }
  if (NamesFunctions(command)) {
    entries.push_back({"~/.cache/ompprof",
                       "Names and lines that earlier commands found, by the build id of their file. The folder may be "
                       "deleted at any time"});
    entries.push_back({"/usr/lib/debug", "Debug information of program files that have none, by build id or by name"});
  }
  return entries;
}

ReferenceEntries ExitStatusesOf(const std::string& command) {
  if (command == "record") {
    return {{"the program's", "The program ran"},
            {"1", "The collector was not found; the program was not started"},
            {"2",
             "The command line is not valid, the profile cannot be written, or the machine does not count the event; "
             "the program was not started"},
            {"126", "The program cannot be run"},
            {"127", "The program was not found"}};
  }
  ReferenceEntries entries = {{"0", "Success"}};
  const bool reads = command != "help";
  if (command == "top") {
    entries.push_back({"1", "The process does not exist or is not recorded, or the profile cannot be read"});
  } else if (reads) {
    entries.push_back({"1", "A file could not be read or written; the rest is shown"});
  }
  entries.push_back({"2", "The command line is not valid, or names what the profile does not have"});
  if (command == "scale") entries.push_back({"a run's", "A run has failed, and nothing is shown"});
  if (command == "diff") entries.push_back({"3", "--fail-on-regression has found something slower"});
  return entries;
}

}  // namespace ompprof::cli
