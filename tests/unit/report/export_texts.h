// The files of exporters as strings, for tests.
#ifndef OMPPROF_TESTS_UNIT_REPORT_EXPORT_TEXTS_H_
#define OMPPROF_TESTS_UNIT_REPORT_EXPORT_TEXTS_H_

#include <zlib.h>

#include <string>

#include "profiler/analyze/view/view.h"
#include "profiler/model/symbolizer.h"
#include "profiler/report/basics/sink.h"
#include "profiler/report/exports/exports.h"

namespace ompprof::test {

using report::Sink;

inline std::string FoldedText(const analyze::View& view, bool by_phase = false) {
  return report::Collect([&](const Sink& sink) { report::Folded(view, by_phase, sink); });
}

inline std::string CallgrindText(const analyze::View& view, const model::Symbolizer& symbolizer) {
  return report::Collect([&](const Sink& sink) { report::Callgrind(view, symbolizer, sink); });
}

inline std::string FirefoxText(const analyze::View& view, const model::Symbolizer& symbolizer) {
  return report::Collect([&](const Sink& sink) { report::Firefox(view, symbolizer, sink); });
}

inline std::string HatchetText(const analyze::View& view) {
  return report::Collect([&](const Sink& sink) { report::Hatchet(view, sink); });
}

inline std::string SpeedscopeText(const analyze::View& view) {
  return report::Collect([&](const Sink& sink) { report::Speedscope(view, sink); });
}

inline std::string TraceEventsText(const analyze::View& view) {
  return report::Collect([&](const Sink& sink) { report::TraceEvents(view, sink); });
}

inline std::string PprofBytes(const analyze::View& view, const model::Symbolizer& symbolizer) {
  return report::Collect([&](const Sink& sink) { report::Pprof(view, symbolizer, sink); });
}

// What a gzip file of up to 1 MiB contains.
inline std::string Unzipped(const std::string& bytes) {
  z_stream stream = {};
  inflateInit2(&stream, MAX_WBITS + 16);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

}  // namespace ompprof::test

#endif  // OMPPROF_TESTS_UNIT_REPORT_EXPORT_TEXTS_H_
