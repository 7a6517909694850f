#include "profiler/report/units.h"

#include <cstdio>

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

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string Printable(const std::string& text) {
  std::string printable = text;
  for (char& c : printable) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return printable;
}

}  // namespace ompprof::report
