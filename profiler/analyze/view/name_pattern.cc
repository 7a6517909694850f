#include "profiler/analyze/view/name_pattern.h"

#include <algorithm>
#include <cstddef>
#include <regex>

namespace ompprof::analyze {

struct NamePattern::Compiled {
  std::regex regex;
};

std::optional<NamePattern> NamePattern::Of(const std::string& text) {
  try {
    return NamePattern(
        std::make_shared<Compiled>(Compiled{std::regex(text, std::regex::ECMAScript | std::regex::optimize)}));
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

bool NamePattern::Matches(const std::string& name) const {
  // libstdc++'s matcher uses a stack frame for each character (30,000 are too many for 8 MiB), and quadratic time for
  // ".*x". Names of templates have some thousand characters; a hostile file may have any number.
  constexpr size_t kLongest = 4000;
  const auto end = name.begin() + static_cast<std::ptrdiff_t>(std::min(name.size(), kLongest));
  return std::regex_search(name.begin(), end, compiled_->regex);
}

}  // namespace ompprof::analyze
