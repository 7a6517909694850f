// Runs a program of this folder with the shim preloaded, and takes its output apart.
#ifndef TESTS_INTEGRATION_RUNTIME_SHIM_ACTIVATION_LAUNCH_H_
#define TESTS_INTEGRATION_RUNTIME_SHIM_ACTIVATION_LAUNCH_H_

#include <map>
#include <string>
#include <vector>

#include "tests/integration/harness.h"

namespace gomp_ompt {

using ompprof::testing::Outcome;
using Environment = std::map<std::string, std::string>;

// Absolute path of an output of this folder's BUILD file.
std::string Built(const std::string& name);

// `also_preloaded` comes behind the shim: names of this folder, or absolute paths. The program is killed after half a
// minute.
Outcome RunUnderShim(const std::string& program, const std::vector<std::string>& arguments,
                     const Environment& environment = {}, const std::vector<std::string>& also_preloaded = {});

// The lines of the tool (script_tool.c) of that NAME, without the name: {"start_tool 202011 libgomp", "initialize",
// ...}.
std::vector<std::string> ToolLines(const Outcome& outcome, const std::string& name = "tool");

// All other lines that the program and the shim wrote to stderr.
std::string OtherLines(const Outcome& outcome);

// Whether the program ran to its end.
bool IsDone(const Outcome& outcome);

}  // namespace gomp_ompt

#endif  // TESTS_INTEGRATION_RUNTIME_SHIM_ACTIVATION_LAUNCH_H_
