// Writes callpath_profile_fields.h: the field numbers and enumerators of callpath_profile.proto as constants, for the
// collector, which encodes without libprotobuf. Prints to standard output; the build runs it.
//
// Field wait_id of message SampleBatch is ompprof::fields::sample_batch::kWaitId. NODE_ROOT of enum NodeKind is
// ompprof::fields::kNodeRoot, and kNodeKindCount is the number of values. WORKER of enum Kind in message Thread is
// ompprof::fields::thread::kKindWorker.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "proto/callpath_profile.pb.h"

namespace ompprof {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;

// "wait_id" and "WAIT_ID" as "WaitId". Since version 30, libprotobuf gives names as string views.
std::string CamelCase(std::string_view words) {
  std::string result;
  bool begins = true;
  for (const char c : words) {
    if (c == '_') {
      begins = true;
    } else {
      const auto letter = static_cast<unsigned char>(c);
      result += static_cast<char>(begins ? std::toupper(letter) : std::tolower(letter));
      begins = false;
    }
  }
  return result;
}

// "WaitStats" as "wait_stats".
std::string SnakeCase(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) && !result.empty()) result += '_';
    result += static_cast<char>(std::tolower(letter));
  }
  return result;
}

// `prefix`: what comes before each value's own name.
void WriteEnum(const EnumDescriptor& type, std::string_view prefix) {
  int most = 0;
  for (int i = 0; i < type.value_count(); ++i) most = std::max(most, type.value(i)->number());
  const std::string name(type.name());
  std::printf("enum %s : %s {\n", name.c_str(), most <= UINT8_MAX ? "uint8_t" : "uint32_t");
  for (int i = 0; i < type.value_count(); ++i) {
    std::printf("  k%s%s = %d,\n", std::string(prefix).c_str(), CamelCase(type.value(i)->name()).c_str(),
                type.value(i)->number());
  }
  std::printf("};\ninline constexpr uint32_t k%sCount = %d;\n", name.c_str(), type.value_count());
}

void WriteMessage(const Descriptor& type) {
  std::printf("\nnamespace %s {\nenum : uint32_t {\n", SnakeCase(type.name()).c_str());
  for (int i = 0; i < type.field_count(); ++i) {
    std::printf("  k%s = %d,\n", CamelCase(type.field(i)->name()).c_str(), type.field(i)->number());
  }
  std::printf("};\n");
  for (int i = 0; i < type.enum_type_count(); ++i) WriteEnum(*type.enum_type(i), type.enum_type(i)->name());
  std::printf("}  // namespace %s\n", SnakeCase(type.name()).c_str());
  for (int i = 0; i < type.nested_type_count(); ++i) WriteMessage(*type.nested_type(i));
}

void WriteAll() {
  const auto& file = *Record::descriptor()->file();
  std::printf("// Written by proto/write_fields.cc from %s.\n#pragma once\n\n#include <stdint.h>\n\n",
              std::string(file.name()).c_str());
  std::printf("namespace ompprof::fields {\n");
  for (int i = 0; i < file.message_type_count(); ++i) WriteMessage(*file.message_type(i));
  std::printf("\n");
  for (int i = 0; i < file.enum_type_count(); ++i) WriteEnum(*file.enum_type(i), "");
  std::printf("\n}  // namespace ompprof::fields\n");
}

}  // namespace
}  // namespace ompprof

int main() {
  ompprof::WriteAll();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
