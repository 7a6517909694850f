// Decompresses the sections of an object file that are compressed by zstd (gcc -gz=zstd): Debian 12's libdw cannot read
// them. zlib's sections are libdw's own business.
//
// libzstd.so.1 is loaded when a file needs it (dlopen), so that no other command needs it.
#ifndef OMPPROF_PROFILER_MODEL_ZSTD_SECTIONS_H_
#define OMPPROF_PROFILER_MODEL_ZSTD_SECTIONS_H_

#include <string>

namespace ompprof::model {

// Whether the open file is an object with such a section.
bool HasZstd(int fd);

// Takes an open file, and returns the file to read in its place: a copy in memory whose sections are decompressed. That
// is `fd` itself if the file is no 64-bit little-endian object, or has no such section. If a section cannot be
// decompressed, the result is `fd`, and `reason` becomes the end of a sentence: "libzstd.so.1 is not installed".
int WithoutZstd(int fd, std::string* reason);

}  // namespace ompprof::model

#endif  // OMPPROF_PROFILER_MODEL_ZSTD_SECTIONS_H_
