// Marks the names that other objects may find in libompprof.so. The version script exported.lds lists the same names.
#ifndef OMPPROF_PROFILER_COLLECT_BASE_EXPORTED_H_
#define OMPPROF_PROFILER_COLLECT_BASE_EXPORTED_H_

#define OMPPROF_EXPORT extern "C" __attribute__((visibility("default")))

#endif  // OMPPROF_PROFILER_COLLECT_BASE_EXPORTED_H_
