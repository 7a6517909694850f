#include "tests/integration/pprof_file.h"

#include <zlib.h>

#include "profiler/analyze/view/short_name.h"
#include "tests/integration/harness.h"

namespace ompprof::testing {
namespace {

// zlib reads a file that is not compressed unchanged.
std::string ReadCompressed(const std::string& path) {
  std::string bytes;
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  char buffer[65536];
  int got;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) bytes.append(buffer, static_cast<size_t>(got));
  gzclose(file);
  return bytes;
}

}  // namespace

bool ExportPprof(const std::string& path, const std::vector<std::string>& options, pprof::Profile* decoded,
                 std::string* error) {
  const std::string output = NewFolder() + "/profile.pb.gz";
  std::vector<std::string> command = {OmpprofPath(), "export", "--all-runs", "--format=pprof", "-o", output};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(path);
  const Outcome exported = RunCommand(command);
  if (!exported.Exited(0)) {
    *error = "ompprof export --format=pprof: " + exported.Describe();
    return false;
  }
  if (!decoded->ParseFromString(ReadCompressed(output)) || decoded->string_table_size() == 0) {
    *error = "the pprof export does not parse";
    return false;
  }
  return true;
}

std::string FullName(const pprof::Profile& decoded, const pprof::Function& function) {
  const std::string& name = decoded.string_table(static_cast<int>(function.name()));
  const std::string& system_name = decoded.string_table(static_cast<int>(function.system_name()));
  // The short name may have template arguments, which tell it from others.
  return analyze::ShortName(system_name) == analyze::ShortName(name) ? system_name : name;
}

int NanosecondsValue(const pprof::Profile& decoded) {
  for (int i = 0; i < decoded.sample_type_size(); i++) {
    if (decoded.string_table(static_cast<int>(decoded.sample_type(i).unit())) == "nanoseconds") return i;
  }
  return 0;
}

}  // namespace ompprof::testing
