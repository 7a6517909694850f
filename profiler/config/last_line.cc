#include "profiler/config/last_line.h"

#include <string.h>

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
  // In single quotes if a shell gives a meaning to one of the characters. An option's dash is hidden.
  void Word(const char* word) {
    bool plain = true;
    for (const char* at = word; *at != '\0'; ++at) plain = plain && IsPlain(*at);
    if (word[0] == '-') Text("./");
    if (!plain) Char('\'');
    for (const char* at = word; *at != '\0'; ++at) {
      const auto byte = static_cast<unsigned char>(*at);
      if (*at == '\'')
        Text("'\\''");
      else
        Char(byte < ' ' || byte == 0x7f ? '?' : *at);
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

bool LastLine(const char* path, const char* folder, char* out, size_t size) {
  const char* name = Below(path, folder);
  Line line{out, size};
  line.Text("wrote ");
  line.Word(name);
  line.Text("; read it with: ompprof report ");
  line.Word(name);
  if (!line.fits()) return false;
  *line.out = '\0';
  return true;
}

bool EndsProcess(const char* reason) {
  for (const char* end : kEnds) {
    if (strcmp(reason, end) == 0) return true;
  }
  return false;
}

}  // namespace ompprof::config
