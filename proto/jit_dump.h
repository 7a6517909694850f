// The layout of a jitdump (tools/perf/Documentation/jitdump-specification.txt of Linux). The collector copies such
// files into the profile without machine code, and the offline half reads the copy. The header needs libc only. All
// functions are async-signal-safe.
//
// A header comes first, then records. A record begins with its kind and its length (with the beginning), 4 bytes each,
// and a time of 8 bytes. Numbers have the byte order of the machine that wrote the file.
#ifndef OMPPROF_PROTO_JIT_DUMP_H_
#define OMPPROF_PROTO_JIT_DUMP_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace ompprof::jit_dump {

inline constexpr uint32_t kMagic = 0x4a695444;
inline constexpr uint32_t kSwappedMagic = 0x4454694a;  // the file has the other byte order

// Kinds of records. Readers skip others.
inline constexpr uint32_t kCodeLoad = 0;
inline constexpr uint32_t kCodeMove = 1;
inline constexpr uint32_t kDebugInfo = 2;

// Sizes of what has a fixed size.
inline constexpr size_t kHeaderBytes = 40;
inline constexpr size_t kPrefixBytes = 16;      // kind, length, time
inline constexpr size_t kLoadBytes = 56;        // a load record before its name
inline constexpr size_t kMoveBytes = 64;        // a move record
inline constexpr size_t kDebugInfoBytes = 32;   // a debug info record before its entries
inline constexpr size_t kDebugEntryBytes = 16;  // an entry before its file name

// Offsets of numbers.
inline constexpr size_t kHeaderLengthAt = 8;
inline constexpr size_t kLengthAt = 4;
inline constexpr size_t kLoadAddressAt = 32;
inline constexpr size_t kLoadSizeAt = 40;
inline constexpr size_t kLoadIndexAt = 48;
inline constexpr size_t kMoveAddressAt = 40;
inline constexpr size_t kMoveSizeAt = 48;
inline constexpr size_t kMoveIndexAt = 56;
inline constexpr size_t kDebugAddressAt = 16;
inline constexpr size_t kDebugCountAt = 24;
inline constexpr size_t kEntryLineAt = 8;

// An entry whose file name is this byte alone has the file of the entry before it.
inline constexpr uint8_t kSameFile = 0xff;

inline uint32_t Read32(const void* at, bool swapped) {
  uint32_t value;
  memcpy(&value, at, sizeof(value));
  return swapped ? __builtin_bswap32(value) : value;
}
inline uint64_t Read64(const void* at, bool swapped) {
  uint64_t value;
  memcpy(&value, at, sizeof(value));
  return swapped ? __builtin_bswap64(value) : value;
}
inline void Write32(uint32_t value, bool swapped, void* at) {
  if (swapped) value = __builtin_bswap32(value);
  memcpy(at, &value, sizeof(value));
}

}  // namespace ompprof::jit_dump

#endif  // OMPPROF_PROTO_JIT_DUMP_H_
