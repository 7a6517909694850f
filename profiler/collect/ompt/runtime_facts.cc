#include "profiler/collect/ompt/runtime_facts.h"

#include <string.h>

namespace ompprof::collect {

KnownRuntime known_runtimes[kMaxRuntimes];

bool IsGomp(const RuntimeFacts& facts) { return strstr(facts.version, "libgomp") != nullptr; }

const RuntimeFacts* Facts(int runtime) {
  return known_runtimes[runtime].complete.load(std::memory_order_acquire) ? &known_runtimes[runtime].facts : nullptr;
}

bool IsGomp(int runtime) {
  const RuntimeFacts* facts = Facts(runtime);
  return facts != nullptr && IsGomp(*facts);
}

bool IsShim(int runtime) {
  static constexpr char kShim[] = "libgomp_ompt ";
  const RuntimeFacts* facts = Facts(runtime);
  return facts != nullptr && strncmp(facts->version, kShim, sizeof(kShim) - 1) == 0;
}

}  // namespace ompprof::collect
