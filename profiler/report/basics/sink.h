// Where an exporter puts its bytes, piece by piece, so that memory does not grow with the file. `ompprof export` gives
// a sink that writes to a file or to standard output.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_SINK_H_
#define OMPPROF_PROFILER_REPORT_BASICS_SINK_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace ompprof::report {

// Takes the next bytes of a file. The sink keeps a failed write to itself: the exporter goes on.
using Sink = std::function<void(std::string_view)>;

// Writers keep this many bytes before they call a sink.
inline constexpr size_t kSinkBytes = size_t{1} << 16;

// All bytes that `write` puts into a sink. For text on a terminal, and for tests.
template <typename Write>
std::string Collect(Write&& write) {
  std::string bytes;
  std::forward<Write>(write)(Sink([&bytes](std::string_view piece) { bytes += piece; }));
  return bytes;
}

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_SINK_H_
