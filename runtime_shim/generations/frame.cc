#include "runtime_shim/generations/frame.h"

namespace gomp_ompt {
namespace {

constexpr int kKept = 16;
__thread Frame kept[kKept] __attribute__((tls_model("initial-exec")));

}  // namespace

Frame* KeepFrame(int level, const Frame& frame) {
  Frame* own = &kept[static_cast<unsigned>(level) % kKept];
  *own = frame;
  return own;
}

}  // namespace gomp_ompt
