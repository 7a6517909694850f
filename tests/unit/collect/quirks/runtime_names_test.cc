// The OpenMP runtime that a file name or a version string means. Similar names of other files must not match.
#include "profiler/collect/quirks/runtime_names.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>

namespace ompprof::collect {
namespace {

TEST(RuntimeNames, OfFiles) {
  EXPECT_EQ(RuntimeInFile("/usr/lib/x86_64-linux-gnu/libgomp.so.1"), Runtime::kLibgomp);
  EXPECT_EQ(RuntimeInFile("libgomp.so"), Runtime::kLibgomp);
  EXPECT_EQ(RuntimeInFile("/opt/lib/libgomp_ompt.so"), Runtime::kShim);
  EXPECT_EQ(RuntimeInFile("/usr/lib/llvm-14/lib/libomp.so.5"), Runtime::kLibomp);
  EXPECT_EQ(RuntimeInFile("/opt/intel/libiomp5.so"), Runtime::kLibomp);
  EXPECT_EQ(RuntimeInFile("/usr/lib/libgompertz.so"), Runtime::kOther);
  EXPECT_EQ(RuntimeInFile("/usr/lib/libomptarget.so"), Runtime::kOffload);
  EXPECT_EQ(RuntimeInFile("/usr/lib/libomptarget.so.19.1"), Runtime::kOffload);
  EXPECT_EQ(RuntimeInFile("/usr/lib/libomptarget.rtl.x86_64.so"), Runtime::kOffload);
  EXPECT_EQ(RuntimeInFile("/usr/lib/libomptargets.so"), Runtime::kOther);
  EXPECT_EQ(RuntimeInFile("/home/libomp.d/program"), Runtime::kOther) << "only the last part is the file's name";
  EXPECT_EQ(RuntimeInFile(""), Runtime::kOther);
}

TEST(RuntimeNames, EndWhereTheLengthSays) {
  const std::string list = "/opt/libgomp_ompt.so:/opt/other.so";
  EXPECT_EQ(RuntimeInFile(list.c_str(), list.find(':')), Runtime::kShim);
  EXPECT_EQ(RuntimeInFile(list.c_str(), 4), Runtime::kOther);
}

TEST(RuntimeNames, TheInstalledShimHasOneName) {
  for (const char* path : {"/opt/libgomp_ompt.so", "libgomp_ompt.so"})
    EXPECT_TRUE(IsInstalledShim(path, strlen(path))) << path;
  for (const char* path : {"/opt/libgomp_ompt.so.1", "/opt/mylibgomp_ompt.so", "/opt/libgomp.so", ""})
    EXPECT_FALSE(IsInstalledShim(path, strlen(path))) << path;
}

TEST(RuntimeNames, OfVersions) {
  EXPECT_EQ(RuntimeOfVersion("LLVM OMP version: 5.0.20140926"), Runtime::kLibomp);
  EXPECT_EQ(RuntimeOfVersion("libgomp_ompt 1.0 (GCC 12.2.0)"), Runtime::kShim);
  EXPECT_EQ(RuntimeOfVersion("another shim for libgomp"), Runtime::kLibgomp);
  EXPECT_EQ(RuntimeOfVersion("small runtime"), Runtime::kOther);
}

}  // namespace
}  // namespace ompprof::collect
