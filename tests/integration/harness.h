// Runs a program with the profiler, as a user would, and reports the outcome. The program's environment is the same
// everywhere, except for GOMP_OMPT_GENERATION (runtime_shim/generations). It uses the ompprof command, the
// collector as a library to preload, and the environment; it knows nothing of the profiler's insides. All tests in C++
// start their programs here; tests in Python use tests/launch. BUILD rules give the tests of this folder the programs
// and an installed tree as data.
#ifndef OMPPROF_TESTS_INTEGRATION_HARNESS_H_
#define OMPPROF_TESTS_INTEGRATION_HARNESS_H_

#include <stdint.h>

#include <map>
#include <string>
#include <vector>

namespace ompprof::testing {

// How the collector gets into the program.
enum class Load {
  kNone,           // not at all: the program runs alone
  kRecord,         // ompprof record -- PROGRAM
  kPreload,        // LD_PRELOAD
  kToolLibraries,  // OMP_TOOL_LIBRARIES: the OpenMP runtime loads it
};

// The samples a second of a run whose shares are compared with the truth. In 1.6 s of CPU time, 2 points of a share of
// a half are 4.5 standard deviations.
constexpr int kKnownAnswerFrequency = 8000;

struct Launch {
  std::string program = {};  // a name under tests/programs, or a path with a slash in it
  std::vector<std::string> arguments = {};
  Load load = Load::kRecord;
  std::vector<std::string> record_options = {};  // kRecord: before "--"
  std::map<std::string, std::string> environment = {};
  int threads = 2;                        // OMP_NUM_THREADS
  int frequency = kKnownAnswerFrequency;  // OMPPROF_FREQUENCY; 0: leave the default
  int libomp = 0;                         // version of the runtime under .deps/; 0: the system's
  std::string input = {};                 // standard input
  std::string folder = {};                // working directory, where profiles appear by default; empty: a new one
  std::string collector = {};             // empty: the installed libompprof.so
  std::string preload_also = {};          // a library to preload before the collector
};

struct Outcome {
  bool started = false;
  bool timed_out = false;
  int status = 0;                       // as from wait()
  std::string out, err;                 // err without `last_lines`
  std::vector<std::string> last_lines;  // of `ompprof record`, about the profile: "wrote run.ompprof; ..."
  std::string folder;
  std::vector<std::string> profiles;  // paths of the *.ompprof files in `folder`, sorted

  bool Exited(int code) const;
  bool Killed(int signal) const;
  // "exit status 1", "signal 9", with the output, for a failed test's message.
  std::string Describe() const;
};

Outcome RunProgram(const Launch& launch);

// Runs a command line without the profiler. The first word may be a path, or a name to find in /usr/bin.
Outcome RunCommand(const std::vector<std::string>& command, const std::string& folder = "");

// A new, empty directory for the test.
std::string NewFolder();

// Absolute paths of files from the BUILD rules.
std::string ProgramPath(const std::string& name);  // under tests/programs
std::string BuiltPath(const std::string& path);    // by its path from the top of the tree
std::string OmpprofPath();                         // bin/ompprof of the installed tree
std::string CollectorPath();                       // lib/libompprof.so of the installed tree
std::string ReferenceDevicePath();                 // of a test with the device among its data
std::string OlderOmptPath();                       // lib/libompprof_older_ompt.so of the installed tree
std::string ShimPath();                            // lib/libgomp_ompt.so of the installed tree
std::string TestingCollectorPath();                // libompprof.so with ompprof_in_handler() exported
std::string OffloadFolder();                       // lib/ and include/ of LLVM's runtimes for devices
std::string RuntimeFolder(
    int libomp);  // the folder of libomp.so.5 of that version; empty if scripts/setup could not get it

std::string
FastTreeSource();  // a real program's source, from Debian's package; empty if scripts/setup could not get it

// Lines of `err` that a profiled program may not have: all but the collector's own warnings ("ompprof: ...").
std::string ForeignLines(const std::string& err);
// How many lines the collector itself wrote.
int WarningLines(const std::string& err);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_HARNESS_H_
