#include "profiler/collect/base/seal.h"

namespace ompprof::collect {

Seal seal;
__thread bool sealed_vfork_child __attribute__((tls_model("initial-exec"))) = false;

void ForgetOtherSealers() {
  seal.inside.store(0, std::memory_order_relaxed);
  seal.begun.store(0, std::memory_order_relaxed);
}

}  // namespace ompprof::collect
