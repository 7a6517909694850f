#include "profiler/report/columns/column_facts.h"

#include <algorithm>

namespace ompprof::report {

const char* TypeName(Unit unit) {
  switch (unit) {
    case Unit::kText:
      return "string";
    case Unit::kFlag:
      return "boolean";
    case Unit::kObject:
      return "object";
    case Unit::kArray:
      return "array";
    default:
      return "number";
  }
}

const char* FromName(From from) {
  switch (from) {
    case From::kExact:
      return "exact";
    case From::kPlaced:
      return "exact, placed by samples";
    case From::kSampled:
      return "sampled";
    case From::kClock:
      return "clock";
    case From::kComputed:
      return "computed";
    case From::kNone:
      break;
  }
  return "";
}

std::string CsvName(const std::string& name, Unit unit, const Weighing& weighing) {
  constexpr char kCpu[] = "cpu_", kNs[] = "ns";
  const size_t cpu = name.find(kCpu);
  if (unit != Unit::kWeight || cpu == std::string::npos) return name;
  std::string other = name;
  if (weighing.nanoseconds) return weighing.title == "wall" ? other.replace(cpu, sizeof kCpu - 1, "wall_") : name;
  other.erase(cpu, sizeof kCpu - 1);
  return other.replace(other.size() - (sizeof kNs - 1), sizeof kNs - 1, "events");
}

std::string HeadingText(const std::string& heading, Unit unit, const Weighing& weighing) {
  return unit == Unit::kWeight && heading == "CPU" ? weighing.title : heading;
}

std::string HoverText(const ColumnFacts& column) {
  std::string text = column.meaning;
  text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
  const std::string from = FromName(column.from);
  if (!from.empty()) text += "; " + from;
  return column.measured ? text + ", or with ~ estimated" : text;
}

}  // namespace ompprof::report
