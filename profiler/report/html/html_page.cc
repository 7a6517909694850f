#include "profiler/report/html/html_page.h"

#include <string_view>

#include "profiler/report/basics/gzip.h"
#include "profiler/report/basics/utf8.h"
#include "profiler/report/html/base64.h"
#include "profiler/report/html/page_template.h"

namespace ompprof::report {
namespace {

// Larger data is compressed.
constexpr size_t kLargestPlain = 256 << 10;

// JSON that cannot end a script element or begin a comment. '<' occurs only in strings, so it becomes an escape.
std::string WithoutMarkup(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string EscapeHtml(const std::string& plain) {
  std::string text;
  for (const char c : ValidUtf8(plain)) {
    if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '&')
      text += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      text += '?';
    else
      text += c;
  }
  return text;
}

// Fills the template's places. Each of these names occurs once.
std::string Fill(const std::string& title, const std::string& connect, const std::string& data) {
  const std::string_view page = PageTemplate();
  std::string text;
  text.reserve(page.size() + data.size() + title.size());
  size_t done = 0;
  const auto put = [&](std::string_view place, const std::string& value) {
    const size_t at = page.find(place, done);
    text += page.substr(done, at - done);
    text += value;
    done = at + place.size();
  };
  // In the order of page/index.html.
  put("CONNECT_SOURCE", connect);
  put("PAGE_TITLE", EscapeHtml(title));
  put("<!--PAGE_DATA-->", data);
  text += page.substr(done);
  return text;
}

std::string DataElement(const std::string& encoding, const std::string& data) {
  return "<script type=\"application/json\" id=\"data\" data-encoding=\"" + encoding + "\">" + data + "</script>";
}

}  // namespace

std::string HtmlPage(const std::string& data, const std::string& title) {
  return Fill(title, "'none'",
              data.size() <= kLargestPlain ? DataElement("plain", WithoutMarkup(data))
                                           : DataElement("gzip", Base64(Gzip(data))));
}

std::string ServedPage(const std::string& title) { return Fill(title, "'self'", DataElement("served", "")); }

}  // namespace ompprof::report
