// The page as a file: its content cannot break out of its place.
#include "profiler/report/html/html_page.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>

namespace ompprof::report {
namespace {

// The content of the page's data element.
std::string DataOf(const std::string& page, const std::string& encoding) {
  const std::string begin = "<script type=\"application/json\" id=\"data\" data-encoding=\"" + encoding + "\">";
  const size_t at = page.find(begin);
  if (at == std::string::npos) return "no data element";
  return page.substr(at + begin.size(), page.find("</script>", at) - at - begin.size());
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string Unbase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    group = group << 6 | static_cast<uint32_t>(digits.find(c));
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255);
  }
  return bytes;
}

TEST(HtmlPageTest, DataCannotEndItsElement) {
  const std::string hostile = R"({"name":"</script><img src=x onerror=alert(1)><!--<script>"})";
  const std::string page = HtmlPage(hostile, "t");
  EXPECT_EQ(DataOf(page, "plain"),
            R"({"name":"\u003c/script>\u003cimg src=x onerror=alert(1)>\u003c!--\u003cscript>"})");
  EXPECT_EQ(Count(page, "<script"), Count(HtmlPage("{}", "t"), "<script"));
}

TEST(HtmlPageTest, TitleIsText) {
  const std::string page = HtmlPage("{}", "</title><script>&\x01");
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;script&gt;&amp;?</title>"), std::string::npos);
}

TEST(HtmlPageTest, LargeDataIsCompressed) {
  std::string data = "[";
  for (int i = 0; i < 200000; ++i) data += std::to_string(i % 7) + ",";
  data += "0]";
  for (const char* tail : {"", " ", "  "}) {  // every length of the last group
    const std::string bytes = Unbase64(DataOf(HtmlPage(data + tail, "t"), "gzip"));
    std::string out(data.size() + 10, '\0');
    z_stream stream = {};
    inflateInit2(&stream, MAX_WBITS + 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    EXPECT_EQ(out, data + tail);
  }
}

TEST(HtmlPageTest, AsksNoNetworkUnlessServed) {
  EXPECT_NE(HtmlPage("{}", "t").find("connect-src 'none'"), std::string::npos);
  EXPECT_NE(ServedPage("t").find("connect-src 'self'"), std::string::npos);
  // The page loads nothing: scripts, styles and pictures are in it.
  const std::string page = HtmlPage("{}", "t");
  for (const char* loader : {"<script src", "<link rel=\"stylesheet", "<img", "@import", "url(http"})
    EXPECT_EQ(page.find(loader), std::string::npos) << loader;
}

TEST(HtmlPageTest, KeepsTheLibrariesLicences) {
  const std::string page = HtmlPage("{}", "t");
  EXPECT_NE(page.find("Copyright 2010-2023 Mike Bostock"), std::string::npos);
  EXPECT_NE(page.find("Apache License"), std::string::npos);
}

}  // namespace
}  // namespace ompprof::report
