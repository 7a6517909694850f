#include "profiler/report/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ompprof::report {

std::string Gzip(const std::string& bytes) {
  z_stream stream = {};
  constexpr int kGzipWrapper =
      16;  // added to the window's logarithm: selects gzip instead of zlib (zlib manual, deflateInit2)
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipWrapper, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string out;
  size_t done = 0;
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    constexpr size_t kChunk = size_t{1} << 20;
    if (stream.avail_in == 0 && done < bytes.size()) {
      const size_t piece = std::min<size_t>(bytes.size() - done, std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + done));
      stream.avail_in = static_cast<uInt>(piece);
      done += piece;
    }
    const size_t size = out.size();
    out.resize(size + kChunk);
    stream.next_out = reinterpret_cast<Bytef*>(&out[size]);
    stream.avail_out = kChunk;
    result = deflate(&stream, done == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.resize(size + kChunk - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace ompprof::report
