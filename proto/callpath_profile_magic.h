// The bytes before the records of a log (callpath_profile.proto).
#ifndef OMPPROF_PROTO_CALLPATH_PROFILE_MAGIC_H_
#define OMPPROF_PROTO_CALLPATH_PROFILE_MAGIC_H_

#include <stddef.h>

namespace ompprof::fields {

inline constexpr char kMagic[] = "OMPPROF\n";
inline constexpr size_t kMagicSize = sizeof kMagic - 1;

}  // namespace ompprof::fields

#endif  // OMPPROF_PROTO_CALLPATH_PROFILE_MAGIC_H_
