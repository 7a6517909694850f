#include "profiler/collect/thread/session.h"

namespace ompprof::collect {

Session session;

}  // namespace ompprof::collect
