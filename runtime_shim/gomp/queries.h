// Fills in the functions with which the entry points ask the runtime (ompt/runtime_queries.h).
#ifndef RUNTIME_SHIM_GOMP_QUERIES_H_
#define RUNTIME_SHIM_GOMP_QUERIES_H_

namespace gomp_ompt {

// Finds the functions of the runtime that the user's code at `caller` uses. Called once, before a tool is started.
void FindQueries();

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_QUERIES_H_
