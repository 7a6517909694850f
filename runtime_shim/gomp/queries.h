// Fills in the functions by which the entry points ask the runtime (ompt/runtime_queries.h).
#ifndef RUNTIME_SHIM_GOMP_QUERIES_H_
#define RUNTIME_SHIM_GOMP_QUERIES_H_

namespace gomp_ompt {

// For the runtime of the user's code at `caller`. Once, before a tool is started.
void FindQueries(const void* caller);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_QUERIES_H_
