// The entry points of OpenMP 5.1 Table 4.1, found by name.
#ifndef RUNTIME_SHIM_OMPT_ENTRY_POINTS_H_
#define RUNTIME_SHIM_OMPT_ENTRY_POINTS_H_

#include <omp-tools.h>

namespace gomp_ompt {

// ompt_function_lookup_t: NULL for a name that is not in the table.
ompt_interface_fn_t LookupEntryPoint(const char* name);

// ompt_get_unique_id. Async-signal-safe.
uint64_t GetUniqueId();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_OMPT_ENTRY_POINTS_H_
