// Loops over a variable of type unsigned long long or of an unsigned type whose values don't fit in long.
#include "runtime_shim/gomp/loop.h"

namespace gomp_ompt {

using Value = unsigned long long;

#define SPACE_PARAMETERS bool up, Value start, Value end, Value increment
#define SPACE_ARGUMENTS up, start, end, increment
#define SPACE_IS_UP up

LOOP_ENTRY_POINTS(GOMP_loop_ull_)

}  // namespace gomp_ompt
