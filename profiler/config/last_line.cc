#include "profiler/config/last_line.h"

#include <string.h>

#include "profiler/config/output_name.h"

namespace ompprof::config {
namespace {

constexpr const char* kEnds[] = {"exit", "quick_exit", "_exit", "_Exit", "abort"};

constexpr char kPlain[] = "/._+:@%=,-";

bool IsPlain(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  for (const char* plain = kPlain; *plain != '\0'; ++plain) {
    if (c == *plain) return true;
  }
  return false;
}

struct Line {
  char* out;
  size_t room;  // with the terminating zero

  bool fits() const { return room > 0; }
  void Char(char c) {
    if (room > 0) --room;
    if (room > 0) *out++ = c;
  }
  void Text(const char* text) {
    for (; *text != '\0'; ++text) Char(*text);
  }
  void Number(size_t number) {
    if (number >= 10) Number(number / 10);
    Char(static_cast<char>('0' + number % 10));
  }
  // The first `length` bytes, in single quotes if a shell gives a meaning to one of the characters. An option's dash is
  // hidden.
  void Word(const char* word, size_t length) {
    bool plain = true;
    for (size_t i = 0; i < length; ++i) plain = plain && IsPlain(word[i]);
    if (length > 0 && word[0] == '-') Text("./");
    if (!plain) Char('\'');
    for (size_t i = 0; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(word[i]);
      if (word[i] == '\'')
        Text("'\\''");
      else
        Char(byte < ' ' || byte == 0x7f ? '?' : word[i]);
    }
    if (!plain) Char('\'');
  }
};

// `path` behind `folder`; `path` itself if it does not lie below.
const char* Below(const char* path, const char* folder) {
  const char* at = path;
  while (*folder != '\0' && *at == *folder) {
    ++at;
    ++folder;
  }
  return *folder == '\0' && at != path && at[0] == '/' && at[1] != '\0' ? at + 1 : path;
}

}  // namespace

bool LastLine(const Written& written, const char* folder, char* out, size_t size) {
  const char* name = Below(written.path, folder);
  const bool several = written.count > 1;
  const auto hidden = static_cast<size_t>(name - written.path);  // the folder
  const size_t shown = !several ? strlen(name) : written.common > hidden ? written.common - hidden : 0;
  Line line{out, size};
  const auto names = [&] {
    line.Word(name, shown);
    if (several) line.Text("*.ompprof");
  };
  line.Text("wrote ");
  if (several) {
    line.Number(written.count);
    line.Text(" profiles, ");
  }
  names();
  if (written.is_rank) line.Text(", and a profile of each other rank");
  line.Text(several ? "; read them with: ompprof report " : "; read it with: ompprof report ");
  names();
  if (!line.fits()) return false;
  *line.out = '\0';
  return true;
}

size_t CommonPart(const char* path, const char* name, size_t common) {
  const char* const slash = strrchr(path, '/');
  const size_t folder = slash == nullptr ? 0 : static_cast<size_t>(slash + 1 - path);
  const auto stem = [](const char* text) {
    const size_t length = strlen(text);
    constexpr size_t kEnd = sizeof kProfileSuffix - 1;
    return length >= kEnd && strcmp(text + length - kEnd, kProfileSuffix) == 0 ? length - kEnd : length;
  };
  size_t length = stem(path);
  if (length > common) length = common;
  const size_t other = folder + stem(name);
  if (length > other) length = other;
  size_t word = 0;  // behind the last point: where the names begin to differ, the whole word differs
  for (size_t i = folder; i < length; ++i) {
    if (path[i] != name[i - folder]) return word != 0 ? word : i;
    if (path[i] == '.') word = i + 1;
  }
  return length;
}

bool EndsProcess(const char* reason) {
  for (const char* end : kEnds) {
    if (strcmp(reason, end) == 0) return true;
  }
  return false;
}

}  // namespace ompprof::config
