// The map clauses of a device construct, and the event target_map. libgomp has no call that tells the device's address
// of a variable before version 13. So the shim asks by an empty data region with a use_device_ptr clause, which
// translates addresses and does nothing else.
#ifndef RUNTIME_SHIM_GOMP_MAP_CLAUSES_H_
#define RUNTIME_SHIM_GOMP_MAP_CLAUSES_H_

#include <stddef.h>

#include "runtime_shim/ompt/records.h"

namespace gomp_ompt {

// Remembers a construct's clauses, if anybody listens to target_map. The arrays must live until KeepMapClauses has
// copied them, or until ForgetMapClauses.
void RememberMapClauses(Target* target, size_t count, void** addresses, size_t* sizes, unsigned short* kinds);
void KeepMapClauses(Target* target);
void ForgetMapClauses(Target* target);

// Reports the clauses once. The device's addresses are those of now; a variable that is not mapped has none. libgomp
// must not hold the device's lock. No-op without clauses.
void ReportMaps(Target* target);

}  // namespace gomp_ompt

#endif  // RUNTIME_SHIM_GOMP_MAP_CLAUSES_H_
