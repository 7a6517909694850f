// gzip compression, for the pprof exporter and the web page.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_GZIP_H_
#define OMPPROF_PROFILER_REPORT_BASICS_GZIP_H_

#include <memory>
#include <string>
#include <string_view>

#include "profiler/report/basics/sink.h"

namespace ompprof::report {

// A gzip file (RFC 1952) that contains `bytes`.
std::string Gzip(const std::string& bytes);

// Writes a gzip file into a sink while the bytes of its contents arrive.
class GzipWriter {
 public:
  // `comment`, a constant: the comment in the file's header (RFC 1952, 2.3.1), which readers pass over. nullptr: none.
  explicit GzipWriter(Sink sink, const char* comment = nullptr);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void Write(std::string_view bytes);

  // Ends the file. Called once, after the last Write.
  void Finish();

 private:
  struct Stream;

  void Deflate(std::string_view bytes, int flush);

  Sink sink_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_GZIP_H_
