#include "profiler/config/output_name.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

namespace ompprof::config {
namespace {

// Appends to a fixed buffer, and remembers whether everything fitted.
struct Appender {
  char* out;
  size_t size;
  size_t used = 0;
  bool fits = true;

  void Text(const char* text) {
    for (; *text != '\0'; ++text) Char(*text);
  }
  void Char(char c) {
    if (used + 1 < size)
      out[used++] = c;
    else
      fits = false;
  }
};

// The last part of a pattern: the name of the file itself.
const char* NameIn(const char* pattern) {
  const char* slash = strrchr(pattern, '/');
  return slash != nullptr ? slash + 1 : pattern;
}

// The first %r in a pattern; NULL: there is none.
const char* RankIn(const char* pattern) {
  for (const char* at = strchr(pattern, '%'); at != nullptr && at[1] != '\0'; at = strchr(at + 2, '%')) {
    if (at[1] == 'r') return at;
  }
  return nullptr;
}

bool HasRankFolder(const char* pattern, const OutputNameParts& parts) {
  const char* rank = RankIn(pattern);
  return parts.ranks > kRanksInFolder && parts.rank[0] != '\0' && rank != nullptr && rank >= NameIn(pattern);
}

}  // namespace

bool ExpandOutputName(const char* pattern, const OutputNameParts& parts, char* out, size_t size) {
  Appender name{out, size};
  char number[24];
  const bool usual = pattern[0] == '\0';
  if (usual) pattern = parts.rank[0] != '\0' ? kUsualRankPattern : kUsualPattern;
  if (pattern[0] != '/') {
    name.Text(parts.directory);
    name.Char('/');
  }
  const char* ranked = !usual && HasRankFolder(pattern, parts) ? NameIn(pattern) : nullptr;
  for (const char* at = pattern; *at != '\0'; ++at) {
    if (at == ranked) {
      snprintf(number, sizeof(number), "%llu/", strtoull(parts.rank, nullptr, 10) / kRanksInFolder);
      name.Text(number);
    }
    if (*at != '%') {
      name.Char(*at);
      continue;
    }
    switch (*++at) {
      case 'h':
        name.Text(parts.host);
        break;
      case 'p':
        snprintf(number, sizeof(number), "%d", static_cast<int>(parts.pid));
        name.Text(number);
        break;
      case 'r':
        name.Text(parts.rank[0] != '\0' ? parts.rank : "0");
        break;
      case 'x':
        name.Text(parts.program);
        break;
      case '%':
        name.Char('%');
        break;
      default:
        return false;
    }
  }
  if (!name.fits) return false;
  out[name.used] = '\0';
  if (parts.attempt == 0) return true;
  // A file of another process has this name.
  const size_t suffix = sizeof(kProfileSuffix) - 1;
  const bool has_suffix = name.used > suffix && strcmp(out + name.used - suffix, kProfileSuffix) == 0;
  if (has_suffix) name.used -= suffix;
  snprintf(number, sizeof(number), ".%u", parts.attempt);
  name.Text(number);
  if (has_suffix) name.Text(kProfileSuffix);
  out[name.used] = '\0';
  return name.fits;
}

void MakeRankFolder(const char* pattern, const OutputNameParts& parts, const char* path) {
  char folder[PATH_MAX];
  const char* slash = strrchr(path, '/');
  if (slash == nullptr || !HasRankFolder(pattern, parts)) return;
  const auto length = static_cast<size_t>(slash - path);
  if (length >= sizeof folder) return;
  memcpy(folder, path, length);
  folder[length] = '\0';
  mkdir(folder, 0777);
}

}  // namespace ompprof::config
