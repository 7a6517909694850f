// Tells whether an object file and its debug information are still those of an earlier time, without opening the debug
// information. The cache of names asks, because names depend on the debug information that was found.
#ifndef OMPPROF_PROFILER_MODEL_DEBUG_IDENTITY_H_
#define OMPPROF_PROFILER_MODEL_DEBUG_IDENTITY_H_

#include <string>

namespace ompprof::model {

// Two hexadecimal digits for each byte.
std::string Hex(const std::string& bytes);

// The servers in DEBUGINFOD_URLS. Empty: none.
std::string DebuginfodServers();

// A text that differs when `path` was replaced, or when a file appeared, vanished or changed in a place where libdwfl
// looks for the debug information of `path`: by build id, by debug link, or in the folder of files that debuginfod's
// servers sent. Empty if `path` is not a plain file with the build id `build_id`.
std::string DebugIdentity(const std::string& path, const std::string& build_id);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_DEBUG_IDENTITY_H_
