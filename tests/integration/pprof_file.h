// Reads exports of `ompprof export --format=pprof`, with libprotobuf.
#ifndef OMPPROF_TESTS_INTEGRATION_PPROF_FILE_H_
#define OMPPROF_TESTS_INTEGRATION_PPROF_FILE_H_

#include <string>
#include <vector>

#include "proto/pprof_profile.pb.h"

namespace ompprof::testing {

// Exports the profile at `path`, with further `options`. False, with a sentence in `error`, if that fails.
bool ExportPprof(const std::string& path, const std::vector<std::string>& options, pprof::Profile* decoded,
                 std::string* error);

// The function's name as in `ompprof report --format=json`: the full name. The export's own name is short.
std::string FullName(const pprof::Profile& decoded, const pprof::Function& function);

// The index of the first sample type in nanoseconds.
int NanosecondsValue(const pprof::Profile& decoded);

}  // namespace ompprof::testing

#endif  // OMPPROF_TESTS_INTEGRATION_PPROF_FILE_H_
