// What is known of a report's column without its rows: names, unit, source, meaning. The documentation and the web page
// are made from these facts.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_FACTS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_FACTS_H_

#include <string>
#include <vector>

#include "profiler/report/names_text.h"

namespace ompprof::report {

enum class Unit {
  kText,
  kNs,
  kWeight,  // of samples: nanoseconds, or events
  kCount,
  kNumber,  // one that is no amount, such as a process's
  kShare,   // 0.25 is 25 %
  kFactor,  // how many times as much, or a mean of counts
  kFlag,
  kObject,
  kArray,
};

// The source of a figure.
enum class From {
  kNone,  // it is no figure
  kExact,
  kPlaced,  // exact, placed by samples
  kSampled,
  kClock,
  kComputed,
};

// The files that have a column, added up.
constexpr unsigned kJson = 1;
constexpr unsigned kCsv = 2;

struct ColumnFacts {
  std::string key;
  std::string csv;
  std::string heading;
  Unit unit;
  From from;
  bool measured;  // the figure may be estimated
  bool derived;   // and has no error of its own
  unsigned files;
  bool text;  // the text report shows it
  int page;   // its place on the web page; 0: none
  std::string meaning;
};

// "number", "string", ...: a member's type in JSON.
const char* TypeName(Unit unit);

// "exact", "sampled", ...; empty: none.
const char* FromName(From from);

// The column's name in CSV, which says what the samples are weighed in: "self_cpu_ns", "self_wall_ns", "self_events".
std::string CsvName(const std::string& name, Unit unit, const Weighing& weighing);

// "CPU" in a heading is what the samples are weighed in.
std::string HeadingText(const std::string& heading, Unit unit, const Weighing& weighing);

// What hovering over a heading of the page says: "wall time, all threads; exact, or with ~ estimated".
std::string HoverText(const ColumnFacts& column);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_FACTS_H_
