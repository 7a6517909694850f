#include "profiler/cli/options/nearest_name.h"

#include <algorithm>

namespace ompprof::cli {
namespace {

// Longer words are no misspelt names, and would take long.
constexpr size_t kLongest = 64;
constexpr size_t kFewestLetters = 2;

std::string WithoutDashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

}  // namespace

size_t Changes(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> changes(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t k = 0; k <= b.size(); ++k) {
      if (i == 0 || k == 0) {
        changes[i][k] = i + k;
        continue;
      }
      const size_t replaced = changes[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
      changes[i][k] = std::min({replaced, changes[i - 1][k] + 1, changes[i][k - 1] + 1});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        changes[i][k] = std::min(changes[i][k], changes[i - 2][k - 2] + 1);
    }
  }
  return changes[a.size()][b.size()];
}

std::string NearestName(const std::string& word, const std::vector<std::string>& names) {
  const std::string letters = WithoutDashes(word);
  if (letters.size() < kFewestLetters || letters.size() > kLongest) return "";
  std::string nearest;
  size_t fewest = 0;
  for (const std::string& name : names) {
    const std::string wanted = WithoutDashes(name);
    const bool begun = wanted.compare(0, letters.size(), letters) == 0;
    const size_t changes = begun ? 1 : Changes(letters, wanted);
    if (changes > std::max<size_t>(1, wanted.size() / 3) || wanted.size() < kFewestLetters) continue;
    if (!nearest.empty() && changes >= fewest) continue;
    nearest = name;
    fewest = changes;
  }
  return nearest;
}

}  // namespace ompprof::cli
