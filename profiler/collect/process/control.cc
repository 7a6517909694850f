#include "profiler/collect/process/control.h"

#include "profiler/collect/arch/floating_point.h"
#include "profiler/collect/base/exported.h"
#include "profiler/collect/process/lifecycle.h"
#include "profiler/collect/sampling/arming.h"
#include "profiler/collect/thread/session.h"
#include "profiler/collect/write/writer.h"

namespace ompprof::collect {

int Control(uint64_t command) {
  const bool over = session.ended.load(std::memory_order_acquire) || !session.active.load(std::memory_order_acquire);
  switch (command) {
    case 1:
      if (!over) SetCollecting(true);
      return 0;
    case 2:
      if (!over) SetCollecting(false);
      return 0;
    case 3:
      if (!over) FlushNow();
      return 0;
    case 4:
      EndSession();
      return 0;
    default:
      return 1;
  }
}

}  // namespace ompprof::collect

OMPPROF_EXPORT int ompprof_control(int command) {
  const ompprof::collect::OwnFloatingPoint floating_point;
  return command < 0 ? 1 : ompprof::collect::Control(static_cast<uint64_t>(command));
}
