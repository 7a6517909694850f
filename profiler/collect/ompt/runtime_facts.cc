#include "profiler/collect/ompt/runtime_facts.h"

#include "profiler/collect/quirks/runtime_names.h"

namespace ompprof::collect {

KnownRuntime known_runtimes[kMaxRuntimes];

bool IsGomp(const RuntimeFacts& facts) {
  const Runtime runtime = RuntimeOfVersion(facts.version);
  return runtime == Runtime::kShim || runtime == Runtime::kLibgomp;
}

const RuntimeFacts* Facts(int runtime) {
  return known_runtimes[runtime].complete.load(std::memory_order_acquire) ? &known_runtimes[runtime].facts : nullptr;
}

bool IsGomp(int runtime) {
  const RuntimeFacts* facts = Facts(runtime);
  return facts != nullptr && IsGomp(*facts);
}

bool IsShim(int runtime) {
  const RuntimeFacts* facts = Facts(runtime);
  return facts != nullptr && RuntimeOfVersion(facts->version) == Runtime::kShim;
}

}  // namespace ompprof::collect
