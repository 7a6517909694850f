#include "profiler/report/basics/utf8.h"

#include <cstddef>

namespace ompprof::report {
namespace {

// The length of the well-formed UTF-8 sequence at `at` (Unicode 15, table 3-7); 0 if the bytes are not well-formed.
size_t Utf8Length(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  const auto in = [](unsigned value, unsigned low, unsigned high) { return value >= low && value <= high; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const bool second = in(byte(1), 0x80, 0xbf);
  if (in(first, 0xc2, 0xdf)) return second ? 2 : 0;
  const bool third = in(byte(2), 0x80, 0xbf);
  if (first == 0xe0) return in(byte(1), 0xa0, 0xbf) && third ? 3 : 0;
  if (first == 0xed) return in(byte(1), 0x80, 0x9f) && third ? 3 : 0;
  if (in(first, 0xe1, 0xef)) return second && third ? 3 : 0;
  const bool fourth = in(byte(3), 0x80, 0xbf);
  if (first == 0xf0) return in(byte(1), 0x90, 0xbf) && third && fourth ? 4 : 0;
  if (first == 0xf4) return in(byte(1), 0x80, 0x8f) && third && fourth ? 4 : 0;
  if (in(first, 0xf1, 0xf3)) return second && third && fourth ? 4 : 0;
  return 0;
}

}  // namespace

std::string ValidUtf8(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = Utf8Length(bytes, at);
    if (length == 0) {
      text += "\xef\xbf\xbd";
      ++at;
    } else {
      text.append(bytes, at, length);
      at += length;
    }
  }
  return text;
}

}  // namespace ompprof::report
