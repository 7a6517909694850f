// The search for a free name among numbered names.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FILES_FREE_NUMBER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FILES_FREE_NUMBER_H_

namespace ompprof::collect {

// A number from 1 to `most` that is not taken, behind one that is (or 1). `most`, if all that were looked at are taken.
// Looks at 2 log2(most) numbers: a script may start ten thousand programs, and the last of them finds its name as
// quickly as the first.
template <typename IsTaken>
unsigned FreeNumber(unsigned most, IsTaken is_taken) {
  unsigned taken = 0;
  unsigned free = 1;
  while (free < most && is_taken(free)) {
    taken = free;
    free = free < most / 2 ? free * 2 : most;
  }
  while (free - taken > 1) {
    const unsigned middle = taken + (free - taken) / 2;
    (is_taken(middle) ? taken : free) = middle;
  }
  return free;
}

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FILES_FREE_NUMBER_H_
