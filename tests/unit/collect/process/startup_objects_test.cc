// The objects that stay as long as the process: those that the program needs, and none that it opened by dlopen.
#include "profiler/collect/process/startup_objects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/auxv.h>

#include "profiler/collect/unwind/object_finder.h"
#include "profiler/collect/unwind/permanent_objects.h"

namespace ompprof::collect {
namespace {

uintptr_t Code(const char* name) { return reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, name)); }

TEST(StartupObjects, WhatTheProgramNeedsStaysAndWhatItOpenedDoesNot) {
  void* library = dlopen("tests/unit/collect/unwind/libreloaded.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto opened = reinterpret_cast<uintptr_t>(dlsym(library, "Reloaded"));
  NotePermanentObjects();
  EXPECT_TRUE(IsPermanent(getauxval(AT_ENTRY))) << "the executable";
  EXPECT_TRUE(IsPermanent(Code("printf"))) << "libc";
  EXPECT_TRUE(IsPermanent(Code("_ZTIi"))) << "libstdc++";
  EXPECT_TRUE(IsPermanent(Code("_dl_mcount"))) << "the loader, which only libc needs";
  EXPECT_TRUE(IsPermanent(getauxval(AT_SYSINFO_EHDR))) << "the vDSO";
  EXPECT_FALSE(IsPermanent(opened));
  EXPECT_FALSE(IsPermanent(reinterpret_cast<uintptr_t>(&library))) << "a stack";

  Object object;
  ASSERT_TRUE(FindObject(opened, &object));
  EXPECT_FALSE(object.permanent);
  ASSERT_TRUE(FindObject(Code("printf"), &object));
  EXPECT_TRUE(object.permanent);
  EXPECT_TRUE(IsPermanent(object.start)) << "as the loader tells it";
  EXPECT_TRUE(IsPermanent(object.end - 1));
  EXPECT_FALSE(IsPermanent(object.start - 1));

  const auto code = Code("printf");
  uint8_t bytes[8];
  ASSERT_TRUE(ReadCode(code, bytes, sizeof(bytes)));
  EXPECT_EQ(memcmp(bytes, reinterpret_cast<const void*>(code), sizeof(bytes)), 0);
  dlclose(library);
}

}  // namespace
}  // namespace ompprof::collect
