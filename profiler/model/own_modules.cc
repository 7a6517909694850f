#include "profiler/model/own_modules.h"

#include <string>

namespace ompprof::model {

std::set<uint32_t> OwnModules(const ProcessProfile& process) {
  std::set<uint32_t> marked;
  std::set<uint32_t> named;
  for (const auto& [id, module] : process.modules) {
    const std::string base = module.path().substr(module.path().rfind('/') + 1);
    if (module.profilers_own()) marked.insert(id);
    if (base == "libompprof.so" || base == "libompprof_older_ompt.so" || base == "libgomp_ompt.so") named.insert(id);
  }
  return marked.empty() ? named : marked;
}

}  // namespace ompprof::model
