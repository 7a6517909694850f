// Properties of every output, whatever names and numbers it has. The fuzzers of profiles and names end the process with
// a sentence if an output lacks a property.
#ifndef OMPPROF_TESTS_FUZZ_OUTPUT_CHECKS_H_
#define OMPPROF_TESTS_FUZZ_OUTPUT_CHECKS_H_

#include <cstdint>
#include <string>

namespace ompprof::fuzz {

// Says which output is wrong and why, and aborts: libFuzzer and the bounded driver then keep the input.
[[noreturn]] void Fail(const char* what, const std::string& why);

// One JSON text (RFC 8259), in UTF-8.
void RequireJson(const char* what, const std::string& text);

// UTF-8 with nothing that a terminal obeys. Newlines are the only control characters, and, if `color`, the codes of
// colours (ESC [ ... m).
void RequireTerminalText(const char* what, const std::string& text, bool color);

// RFC 4180: each row has as many fields as the first.
void RequireCsv(const char* what, const std::string& text);

// "frames count" in each line.
void RequireFolded(const char* what, const std::string& text);

// Lines that callgrind_annotate knows, whose own costs add up to `weight`.
void RequireCallgrind(const std::string& text, uint64_t weight);

// HtmlPage's page of `data` and `title`. Both are in their places as data. The rest of the page, with its scripts, is
// always the same.
void RequirePage(const std::string& page, const std::string& data, const std::string& title);

// A gzipped profile.proto whose strings are UTF-8 and whose references exist. Its first values add up to `samples`.
void RequirePprof(const std::string& bytes, uint64_t samples);

}  // namespace ompprof::fuzz

#endif  // OMPPROF_TESTS_FUZZ_OUTPUT_CHECKS_H_
