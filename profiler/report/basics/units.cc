#include "profiler/report/basics/units.h"

#include <cstdio>

#include "profiler/report/basics/utf8.h"

namespace ompprof::report {
namespace {

std::string Format(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string Duration(uint64_t ns) {
  const double value = static_cast<double>(ns);
  if (ns == 0) return "0 s";
  if (value < 1e3) return Format("%.0f ns", value);
  if (value < 999.995e3) return Format("%.2f us", value / 1e3);
  if (value < 999.995e6) return Format("%.2f ms", value / 1e6);
  return Format("%.2f s", value / 1e9);
}

std::string Measured(uint64_t ns, const analyze::Estimate& estimate) {
  if (!estimate.any()) return Duration(ns);
  const auto value = static_cast<double>(ns);
  const double unit = value < 999.995e3 ? 1e3 : value < 999.995e6 ? 1e6 : 1e9;
  const char* name = unit == 1e3 ? " us" : unit == 1e6 ? " ms" : " s";
  return "~" + Format("%.2f", value / unit) + name + " ±" +
         Format("%.2f", static_cast<double>(estimate.ci95_ns()) / unit);
}

std::string Tilde(const analyze::Estimate& estimate) { return estimate.any() ? "~" : ""; }

const char* ExactWords(const analyze::Estimate& estimate) {
  return estimate.any() ? "exact except where ~estimated, ±: 95 % confidence" : "exact";
}

std::string Weight(uint64_t weight, bool nanoseconds) {
  if (nanoseconds) return Duration(weight);
  const double value = static_cast<double>(weight);
  if (weight < 1000) return std::to_string(weight);
  if (value < 1e6) return Format("%.2f k", value / 1e3);
  if (value < 1e9) return Format("%.2f M", value / 1e6);
  return Format("%.2f G", value / 1e9);
}

std::string Count(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return Format("%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string Percent(double share) { return Format("%.1f %%", 100 * share); }

std::string Processors(double number) {
  std::string text = Times(number);
  if (text.size() > 3 && text.compare(text.size() - 3, 3, ".00") == 0) text.resize(text.size() - 3);
  return text + (number == 1 ? " processor" : " processors");
}

std::string Times(double factor) { return Format(factor < 10 ? "%.2f" : "%.0f", factor); }

std::string Megabytes(uint64_t bytes) { return bytes == 0 ? "" : Times(static_cast<double>(bytes) / 1e6); }

std::string Printable(const std::string& text) {
  const std::string valid = ValidUtf8(text);
  std::string printable;
  printable.reserve(valid.size());
  for (size_t at = 0; at < valid.size(); ++at) {
    const auto byte = [&](size_t i) { return at + i < valid.size() ? static_cast<unsigned char>(valid[at + i]) : 0u; };
    const bool c1 = byte(0) == 0xc2 && byte(1) < 0xa0;  // U+0080 to U+009F: terminals obey these characters like ESC
    // U+202A to U+202E and U+2066 to U+2069 change the direction of the text after them.
    const bool turns = byte(0) == 0xe2 && ((byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae) ||
                                           (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9));
    if (byte(0) < 0x20 || byte(0) == 0x7f || c1 || turns) {
      printable += '?';
      at += turns ? 2 : c1 ? 1 : 0;
    } else {
      printable += valid[at];
    }
  }
  return printable;
}

std::string RangesText(const std::set<uint32_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const uint32_t first = *at;
    uint32_t last = first;
    while (++at != numbers.end() && *at == last + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first) + (last == first ? "" : "-" + std::to_string(last));
  }
  return text;
}

std::string PrintableLines(const std::string& text) {
  std::string printable;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    printable += Printable(text.substr(at, end - at));
    if (end == std::string::npos) break;
    printable += '\n';
    at = end + 1;
  }
  return printable;
}

}  // namespace ompprof::report
