// A regular expression for names of functions, as `--focus`, `--hide` and their like take it.
#ifndef OMPPROF_PROFILER_ANALYZE_VIEW_NAME_PATTERN_H_
#define OMPPROF_PROFILER_ANALYZE_VIEW_NAME_PATTERN_H_

#include <memory>
#include <optional>
#include <string>

namespace ompprof::analyze {

// std::regex in ECMAScript's grammar, seen by one source: its header is seconds of each compilation that uses it.
class NamePattern {
 public:
  // Nothing if `text` is no regular expression.
  static std::optional<NamePattern> Of(const std::string& text);

  // Whether the first 4,000 characters of `name` contain a match.
  bool Matches(const std::string& name) const;

 private:
  struct Compiled;
  explicit NamePattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace ompprof::analyze

#endif  // OMPPROF_PROFILER_ANALYZE_VIEW_NAME_PATTERN_H_
