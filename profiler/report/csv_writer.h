// Comma-separated values as RFC 4180 has them: a header, a record for each row, lines ended by CRLF, text quoted where
// it must be. Numbers are bare, so that readers take a column of them for numbers. The CSV reports are written with it.
#ifndef OMPPROF_PROFILER_REPORT_CSV_WRITER_H_
#define OMPPROF_PROFILER_REPORT_CSV_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ompprof::report {

class CsvWriter {
 public:
  explicit CsvWriter(const std::vector<std::string>& header);

  // A row's cells, one for each of the header's, and its end. What a terminal or a reader would take for more than text
  // (control characters, line ends) becomes '?'.
  CsvWriter& Text(const std::string& value);
  CsvWriter& Number(uint64_t value);
  CsvWriter& Number(double value);  // must be finite
  void End();

  const std::string& text() const { return text_; }

 private:
  void Separate();

  std::string text_;
  bool begun_ = false;  // the row has a cell
};

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_CSV_WRITER_H_
