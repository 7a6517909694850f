#include "profiler/model/critical_name.h"

#include <cstddef>

namespace ompprof::model {

bool CriticalName(const std::string& symbol, std::string* name) {
  constexpr char kSuffix[] = ".var";
  if (symbol.rfind(kCriticalPrefix, 0) != 0) return false;
  *name = symbol.substr(sizeof kCriticalPrefix - 1);
  const size_t suffix = sizeof kSuffix - 1;
  if (name->size() >= suffix && name->compare(name->size() - suffix, suffix, kSuffix) == 0)
    name->resize(name->size() - suffix);
  return true;
}

}  // namespace ompprof::model
