#include "profiler/collect/session.h"

namespace ompprof::collect {

Session session;

}  // namespace ompprof::collect
