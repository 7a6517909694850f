#include "profiler/collect/write/writer_wake.h"

namespace ompprof::collect {

WriterWake writer_wake;

}  // namespace ompprof::collect
