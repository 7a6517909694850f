// The environment without the collector: what `record` adds goes, and what the user set stays as it is.
#include "profiler/collect/process/environment.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ompprof::collect {
namespace {

using Entries = std::vector<std::string>;

Entries WithoutUs(Entries entries) {
  std::vector<char*> environment;
  for (std::string& entry : entries) environment.push_back(entry.data());
  environment.push_back(nullptr);
  const size_t bytes = EnvironmentBytes(environment.data());
  std::string memory(bytes, 'x');
  char* const* left = EnvironmentWithoutUs(environment.data(), memory.data());
  EXPECT_EQ(left == environment.data(), bytes == 0);
  Entries found;
  for (; *left != nullptr; ++left) found.push_back(*left);
  return found;
}

TEST(Environment, ListsOfLibraries) {
  const struct {
    const char* list;
    const char* left;  // NULL: the variable goes
  } rows[] = {
      {"/o/libompprof.so", nullptr},
      {"libompprof.so", nullptr},
      {"/o/libompprof.so:/o/libompprof_older_ompt.so:/o/libgomp_ompt.so", nullptr},
      {"/o/libompprof.so:/u/a.so", "/u/a.so"},
      {"/o/libompprof.so /u/a.so", "/u/a.so"},
      {"/o/libompprof.so:/o/libgomp_ompt.so:/u/a.so /u/b.so", "/u/a.so /u/b.so"},
      {"/u/a.so:/o/libompprof.so", "/u/a.so"},
      {"/u/a.so:/o/libompprof.so:/o/libgomp_ompt.so", "/u/a.so"},
      {"/u/a.so:/o/libompprof.so:/u/b.so", "/u/a.so:/u/b.so"},
      {"/o/libompprof.so:: /u/a.so:", ": /u/a.so:"},
      {"/u/a.so", "/u/a.so"},
      {"/u/libompprof.so.1:/u/mylibompprof.so:/u/libgomp_ompt.so.1",
       "/u/libompprof.so.1:/u/mylibompprof.so:/u/libgomp_ompt.so.1"},
      {"", ""},
      {" :", " :"},
  };
  for (const std::string variable : {"LD_PRELOAD=", "OMP_TOOL_LIBRARIES=", "GOMP_OMPT_TOOL_LIBRARIES="}) {
    for (const auto& row : rows) {
      Entries expected = {"A=1", "B"};
      if (row.left != nullptr) expected.insert(expected.begin() + 1, variable + row.left);
      EXPECT_EQ(WithoutUs({"A=1", variable + row.list, "B"}), expected) << row.list;
    }
  }
}

TEST(Environment, WhatRecordAddsGoes) {
  EXPECT_EQ(WithoutUs({"OMPPROF_OUTPUT=user", "OMPPROF_EVENT=cycles", "OMPPROF_EVENTS=x", "OMPPROF_RUN=run",
                       "OMPPROF_OPTIONS=OMPPROF_EVENT:OMPPROF_MAX_DEPTH", "OMPPROF_MAX_DEPTH=99", "OMPPROF_MAIN_PID=1",
                       "ASAN_OPTIONS=verify_asan_link_order=0:x=1", "OMPPROF_LAST_LINE=1", "OMPPROF_FOLDER=/"}),
            (Entries{"OMPPROF_OUTPUT=user", "OMPPROF_EVENTS=x", "ASAN_OPTIONS=x=1"}));
  EXPECT_EQ(WithoutUs({"OMPPROF_RUN=run", "ASAN_OPTIONS=verify_asan_link_order=0"}), Entries{});
  EXPECT_EQ(WithoutUs({"OMPPROF_RUN=run", "ASAN_OPTIONS=verify_asan_link_order=01"}),
            Entries{"ASAN_OPTIONS=verify_asan_link_order=01"});
  // Without record, the user has set it.
  const Entries users = {"ASAN_OPTIONS=verify_asan_link_order=0:x=1", "OMPPROF_LAST_LINE=/", "OMPPROF_EVENT=cycles"};
  EXPECT_EQ(WithoutUs(users), users);
}

}  // namespace
}  // namespace ompprof::collect
