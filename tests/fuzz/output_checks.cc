#include "tests/fuzz/output_checks.h"

#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "profiler/report/basics/units.h"
#include "profiler/report/basics/utf8.h"
#include "profiler/report/html/html_page.h"
#include "proto/pprof_profile.pb.h"

namespace ompprof::fuzz {
namespace {

// `text` without the codes of colours.
std::string WithoutColors(const std::string& text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b' && at + 1 < text.size() && text[at + 1] == '[') {
      const size_t end = text.find_first_not_of("0123456789;", at + 2);
      if (end != std::string::npos && text[end] == 'm') {
        at = end + 1;
        continue;
      }
    }
    plain += text[at++];
  }
  return plain;
}

// Takes a page apart, by the known places of a harmless page.
struct PageFrame {
  std::string before_title, before_data, after_data;

  PageFrame() {
    const std::string title = "HARMLESS-TITLE", data = "\"HARMLESS-DATA\"";
    const std::string page = report::HtmlPage(data, title);
    const size_t title_at = page.find(title), data_at = page.find(data);
    const std::string open = "data-encoding=\"plain\">";
    before_title = page.substr(0, title_at);
    before_data = page.substr(title_at + title.size(), data_at - open.size() - title_at - title.size());
    after_data = page.substr(data_at + data.size());
  }
};

std::string Gunzip(const std::string& bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) Fail("pprof", "zlib does not begin");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  char buffer[1 << 14];
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) Fail("pprof", "is not whole as gzip");
  return text;
}

}  // namespace

void Fail(const char* what, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", what, report::Printable(why.substr(0, 2000)).c_str());
  std::abort();
}

void RequireJson(const char* what, const std::string& text) {
  try {
    if (nlohmann::json::parse(text).is_discarded()) Fail(what, "is no JSON");
  } catch (const nlohmann::json::exception& error) {
    Fail(what, error.what());
  }
}

void RequireTerminalText(const char* what, const std::string& text, bool color) {
  const std::string plain = color ? WithoutColors(text) : text;
  const std::string printable = report::PrintableLines(plain);
  if (printable == plain) return;
  size_t at = 0;
  while (at < plain.size() && at < printable.size() && plain[at] == printable[at]) ++at;
  char code[16];
  std::snprintf(code, sizeof code, "0x%02x", at < plain.size() ? static_cast<unsigned char>(plain[at]) : 0u);
  Fail(what, std::string("a terminal would obey ") + code + " in: " + plain.substr(at < 60 ? 0 : at - 60, 120));
}

void RequireCsv(const char* what, const std::string& text) {
  size_t columns = 0, fields = 0;
  bool quoted = false, row_open = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    row_open = true;
    if (quoted) {
      if (c != '"') continue;
      if (at + 1 < text.size() && text[at + 1] == '"')
        ++at;
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      ++fields;
    } else if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') {
      ++at;
      if (columns == 0) columns = fields + 1;
      if (fields + 1 != columns)
        Fail(what, "a row of " + std::to_string(fields + 1) + " fields, not " + std::to_string(columns));
      fields = 0;
      row_open = false;
    } else if (c == '\r' || c == '\n') {
      Fail(what, "a bare end of line");
    }
  }
  if (columns == 0 || quoted || row_open) Fail(what, "does not end with a row");
  if (report::ValidUtf8(text) != text) Fail(what, "is not UTF-8");
}

void RequireFolded(const char* what, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    if (end == std::string::npos) Fail(what, "the last line does not end");
    const std::string line = text.substr(at, end - at);
    const size_t blank = line.rfind(' ');
    if (blank == std::string::npos || blank == 0 || blank + 1 == line.size() ||
        line.find_first_not_of("0123456789", blank + 1) != std::string::npos)
      Fail(what, "not a stack and a count: " + line);
    at = end + 1;
  }
}

void RequireCallgrind(const std::string& text, uint64_t weight) {
  static const std::set<std::string> kHeader = {"version", "creator",   "pid",   "cmd",    "part",
                                                "desc",    "positions", "event", "events", "summary"};
  static const std::set<std::string> kNames = {"ob", "fl", "fn", "cob", "cfi", "cfn", "calls"};
  uint64_t sum = 0;
  bool is_call = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t end = line.find_first_of(":= ");
    const std::string word = line.substr(0, end);
    if (line.empty() || line[0] == '#') continue;
    if (end == std::string::npos) Fail("callgrind", "a line that readers do not know: " + line);
    if (line[end] == ' ') {
      if (line.find_first_not_of("0123456789 ") != std::string::npos) Fail("callgrind", "not a cost: " + line);
      if (!is_call) sum += std::strtoull(line.c_str() + end, nullptr, 10);
    } else if ((line[end] == ':' ? kHeader : kNames).count(word) == 0) {
      Fail("callgrind", "a line that readers do not know: " + line);
    }
    is_call = word == "calls";
  }
  if (sum != weight) Fail("callgrind", "own costs are not the whole");
  if (report::ValidUtf8(text) != text) Fail("callgrind", "is not UTF-8");
}

void RequirePage(const std::string& page, const std::string& data, const std::string& title) {
  static const PageFrame frame;
  const auto is_at = [&page](size_t at, const std::string& text) { return page.compare(at, text.size(), text) == 0; };
  if (!is_at(0, frame.before_title)) Fail("page", "its head is another");
  const size_t title_end = page.find('<', frame.before_title.size());
  if (title_end == std::string::npos || !is_at(title_end, frame.before_data))
    Fail("page", "its title ends early: " + title);
  const std::string shown = page.substr(frame.before_title.size(), title_end - frame.before_title.size());
  if (shown.find('>') != std::string::npos || report::ValidUtf8(shown) != shown) Fail("page", "its title: " + shown);
  size_t at = title_end + frame.before_data.size();
  const std::string plain = "data-encoding=\"plain\">", packed = "data-encoding=\"gzip\">";
  const bool is_plain = is_at(at, plain);
  if (!is_plain && !is_at(at, packed)) Fail("page", "its data is not where it is");
  at += is_plain ? plain.size() : packed.size();
  const size_t end = page.find('<', at);
  if (end == std::string::npos || page.substr(end) != frame.after_data)
    Fail("page", "its data ends early, or something follows it");
  const std::string embedded = page.substr(at, end - at);
  if (is_plain) {
    RequireJson("page", embedded);
    if (nlohmann::json::parse(embedded) != nlohmann::json::parse(data)) Fail("page", "its data is another");
  } else if (embedded.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") !=
             std::string::npos) {
    Fail("page", "its data is no base64");
  }
}

void RequirePprof(const std::string& bytes, uint64_t samples) {
  pprof::Profile profile;
  if (!profile.ParseFromString(Gunzip(bytes))) Fail("pprof", "is no profile.proto");
  const auto strings = static_cast<int64_t>(profile.string_table_size());
  const auto named = [strings](int64_t index) {
    if (index < 0 || index >= strings) Fail("pprof", "a string that is not there");
  };
  if (strings == 0 || !profile.string_table(0).empty()) Fail("pprof", "the first string is not empty");
  for (const std::string& text : profile.string_table()) {
    if (report::ValidUtf8(text) != text) Fail("pprof", "a string is not UTF-8");
  }
  std::set<uint64_t> functions, locations, mappings;
  for (const auto& mapping : profile.mapping()) mappings.insert(mapping.id()), named(mapping.filename());
  for (const auto& function : profile.function())
    functions.insert(function.id()), named(function.name()), named(function.filename());
  for (const auto& location : profile.location()) {
    locations.insert(location.id());
    if (location.mapping_id() != 0 && mappings.count(location.mapping_id()) == 0)
      Fail("pprof", "a mapping that is not there");
    for (const auto& line : location.line()) {
      if (functions.count(line.function_id()) == 0) Fail("pprof", "a function that is not there");
    }
  }
  uint64_t sum = 0;
  for (const auto& sample : profile.sample()) {
    if (sample.value_size() != profile.sample_type_size()) Fail("pprof", "a sample with too few values");
    sum += static_cast<uint64_t>(sample.value(0));
    for (const uint64_t location : sample.location_id()) {
      if (locations.count(location) == 0) Fail("pprof", "a location that is not there");
    }
    for (const auto& label : sample.label()) named(label.key()), named(label.str());
  }
  if (sum != samples) Fail("pprof", std::to_string(sum) + " samples of " + std::to_string(samples));
}

}  // namespace ompprof::fuzz
