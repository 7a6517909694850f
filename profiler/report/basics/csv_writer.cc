#include "profiler/report/basics/csv_writer.h"

#include "profiler/report/basics/bare_number.h"
#include "profiler/report/basics/units.h"

namespace ompprof::report {

CsvWriter::CsvWriter(const std::vector<std::string>& header) {
  for (const std::string& name : header) Text(name);
  End();
}

void CsvWriter::Separate() {
  if (begun_) text_ += ',';
  begun_ = true;
}

CsvWriter& CsvWriter::Text(const std::string& value) {
  Separate();
  const std::string text = Printable(value);
  if (text.find_first_of("\",") == std::string::npos) {
    text_ += text;
    return *this;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

CsvWriter& CsvWriter::Number(uint64_t value) {
  Separate();
  text_ += std::to_string(value);
  return *this;
}

CsvWriter& CsvWriter::Number(double value) {
  Separate();
  text_ += BareNumber(value);
  return *this;
}

void CsvWriter::End() {
  text_ += "\r\n";
  begun_ = false;
}

}  // namespace ompprof::report
