#include "profiler/report/basics/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace ompprof::report {

struct GzipWriter::Stream {
  z_stream zlib = {};
  gz_header header = {};
  std::string out = std::string(kSinkBytes, '\0');
};

GzipWriter::GzipWriter(Sink sink, const char* comment) : sink_(std::move(sink)), stream_(std::make_unique<Stream>()) {
  constexpr int kGzipWrapper =
      16;  // added to the window's logarithm: selects gzip instead of zlib (zlib manual, deflateInit2)
  if (deflateInit2(&stream_->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipWrapper, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  if (comment == nullptr) return;
  constexpr int kNotKnown = 255;  // the system
  stream_->header.os = kNotKnown;
  stream_->header.comment = reinterpret_cast<Bytef*>(const_cast<char*>(comment));
  deflateSetHeader(&stream_->zlib, &stream_->header);
}

GzipWriter::~GzipWriter() { deflateEnd(&stream_->zlib); }

void GzipWriter::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t piece = std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    Deflate(bytes.substr(0, piece), Z_NO_FLUSH);
    bytes.remove_prefix(piece);
  }
}

void GzipWriter::Finish() { Deflate({}, Z_FINISH); }

void GzipWriter::Deflate(std::string_view bytes, int flush) {
  z_stream& zlib = stream_->zlib;
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  do {
    zlib.next_out = reinterpret_cast<Bytef*>(stream_->out.data());
    zlib.avail_out = static_cast<uInt>(stream_->out.size());
    deflate(&zlib, flush);
    const size_t written = stream_->out.size() - zlib.avail_out;
    if (written != 0) sink_(std::string_view(stream_->out).substr(0, written));
  } while (zlib.avail_out == 0);
}

std::string Gzip(const std::string& bytes) {
  return Collect([&](const Sink& sink) {
    GzipWriter writer(sink);
    writer.Write(bytes);
    writer.Finish();
  });
}

}  // namespace ompprof::report
