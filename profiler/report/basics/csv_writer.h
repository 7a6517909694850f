// Writes comma-separated values in the format of RFC 4180: a header, a record for each row, CRLF at the end of lines,
// quotes where text needs them. Numbers have no quotes, so readers recognize columns of numbers. The CSV reports use
// it.
#ifndef OMPPROF_PROFILER_REPORT_BASICS_CSV_WRITER_H_
#define OMPPROF_PROFILER_REPORT_BASICS_CSV_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::report {

class CsvWriter {
 public:
  explicit CsvWriter(const std::vector<std::string>& header);

  // Each row is one cell for each cell of the header, then End. Control characters and line ends, which a terminal or a
  // reader may interpret, become '?'.
  CsvWriter& Text(const std::string& value);
  CsvWriter& Number(uint64_t value);
  CsvWriter& Number(double value);  // must be finite
  void End();

  const std::string& text() const { return text_; }

 private:
  void Separate();

  std::string text_;
  bool begun_ = false;  // the row has a cell already
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_BASICS_CSV_WRITER_H_
