// The facts about a report's column without its rows: names, unit, source, meaning. The documentation and the web page
// use them.
#ifndef OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_FACTS_H_
#define OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_FACTS_H_

#include <string>
#include <vector>

#include "profiler/report/basics/names_text.h"

namespace ompprof::report {

enum class Unit {
  kText,
  kNs,
  kWeight,  // weight of samples: nanoseconds or events
  kCount,
  kNumber,  // a number that is no amount, for example a process id
  kShare,   // 0.25 is 25 %
  kFactor,  // a factor, or a mean of counts
  kFlag,
  kObject,
  kArray,
};

// The source of a figure.
enum class From {
  kNone,  // no figure
  kExact,
  kPlaced,  // exact, with a place from samples
  kSampled,
  kClock,
  kComputed,
};

// The files that have a column, as a sum.
constexpr unsigned kJson = 1;
constexpr unsigned kCsv = 2;

struct ColumnFacts {
  std::string key;
  std::string csv;
  std::string heading;
  Unit unit;
  From from;
  bool measured;  // the figure may be estimated
  bool derived;   // the figure has no error of its own
  unsigned files;
  bool text;  // the text report shows it
  int page;   // its place on the web page; 0: none
  std::string meaning;
};

// "number", "string", ...: a member's type in JSON.
const char* TypeName(Unit unit);

// "exact", "sampled", ...; empty for kNone.
const char* FromName(From from);

// The column's name in CSV, with the unit of the weights: "self_cpu_ns", "self_wall_ns", "self_events".
std::string CsvName(const std::string& name, Unit unit, const Weighing& weighing);

// The heading, with the title of the weights in place of "CPU".
std::string HeadingText(const std::string& heading, Unit unit, const Weighing& weighing);

// The hover text of a heading on the page: "wall time, all threads; exact, or with ~ estimated".
std::string HoverText(const ColumnFacts& column);

}  // namespace ompprof::report

#endif  // OMPPROF_PROFILER_REPORT_COLUMNS_COLUMN_FACTS_H_
