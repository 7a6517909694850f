// The reference device answers with the version of the plugin interface that the process's libgomp wants, and has every
// function that this version wants. libgomp tells no plugin its version: the device knows it by names of libgomp. Small
// libraries with these names stand for newer libgomps. Each case is a process of its own.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/integration/harness.h"

namespace {

using ompprof::testing::BuiltPath;

struct AddressPair {
  uintptr_t begin, end;
};

// What the device takes for device code: of two functions or variables.
struct Image {
  size_t count;
  AddressPair addresses[2];
};

// The device, behind the libraries that the process has loaded before.
void* OpenDevice(const std::vector<std::string>& before) {
  for (const std::string& library : before)
    if (dlopen(BuiltPath(library).c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) return nullptr;
  return dlopen(BuiltPath("runtime_shim/device/libgomp_reference_device.so").c_str(), RTLD_NOW);
}

void* Find(void* device, const std::string& name) { return dlsym(device, ("GOMP_OFFLOAD_" + name).c_str()); }

// The device's answer in a new process; 255: there is none.
int VersionBehind(const std::vector<std::string>& before) {
  const pid_t child = fork();
  if (child == 0) {
    void* device = OpenDevice(before);
    auto* version = device != nullptr ? reinterpret_cast<unsigned (*)()>(Find(device, "version")) : nullptr;
    _exit(version != nullptr ? static_cast<int>(version()) : 255);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

constexpr char kNamesOf13[] = "tests/integration/runtime_shim/device/libnames_of_13.so";
constexpr char kNamesOf14[] = "tests/integration/runtime_shim/device/libnames_of_14.so";
constexpr char kShim[] = "runtime_shim/libgomp_ompt.so";

TEST(Version, IsTheOneOfEachLibgomp) {
  EXPECT_EQ(VersionBehind({}), 1);
  EXPECT_EQ(VersionBehind({kNamesOf13}), 2);
  EXPECT_EQ(VersionBehind({kNamesOf14}), 3);
}

// The shim has functions of the newest libgomp, and says nothing of the process's.
TEST(Version, IsNotTheShims) {
  EXPECT_EQ(VersionBehind({kShim}), 1);
  EXPECT_EQ(VersionBehind({kNamesOf13, kShim}), 2);
  EXPECT_EQ(VersionBehind({kShim, kNamesOf14}), 3);
}

TEST(Functions, AreAllThatAnyVersionWants) {
  void* device = OpenDevice({});
  ASSERT_NE(device, nullptr) << dlerror();
  for (const char* name :
       {"version", "get_name", "get_caps", "get_type", "get_num_devices", "init_device", "fini_device", "load_image",
        "unload_image", "alloc", "free", "host2dev", "dev2host", "dev2dev", "run", "async_run", "can_run", "memset"})
    EXPECT_NE(Find(device, name), nullptr) << name;
}

// The calls of interface versions 1, and 2 and 3. Both get the image's entries and one behind them, without an address.
TEST(Functions, LoadAnImageForEachVersion) {
  void* device = OpenDevice({});
  ASSERT_NE(device, nullptr) << dlerror();
  void* load = Find(device, "load_image");
  ASSERT_NE(load, nullptr);
  const Image image = {2, {{0x1000, 0x1010}, {0x2000, 0x2004}}};
  AddressPair* of_first = nullptr;
  AddressPair* of_third = nullptr;
  uint64_t* reverse = nullptr;
  uint64_t indirect = 7;
  EXPECT_EQ(reinterpret_cast<int (*)(int, unsigned, const void*, AddressPair**)>(load)(0, 0, &image, &of_first), 3);
  EXPECT_EQ((reinterpret_cast<int (*)(int, unsigned, const void*, AddressPair**, uint64_t**, uint64_t*)>(load)(
                0, 0, &image, &of_third, &reverse, &indirect)),
            3);
  for (AddressPair* loaded : {of_first, of_third}) {
    ASSERT_NE(loaded, nullptr);
    for (int i = 0; i < 2; i++) {
      EXPECT_EQ(loaded[i].begin, image.addresses[i].begin);
      EXPECT_EQ(loaded[i].end, image.addresses[i].end);
    }
    EXPECT_EQ(loaded[2].begin, 0u);
    EXPECT_EQ(loaded[2].end, 0u);
    free(loaded);
  }
  EXPECT_EQ(reverse, nullptr);
  EXPECT_EQ(indirect, 7u);
}

TEST(Functions, FillMemory) {
  void* device = OpenDevice({});
  ASSERT_NE(device, nullptr) << dlerror();
  auto* fill = reinterpret_cast<bool (*)(int, void*, int, size_t)>(Find(device, "memset"));
  ASSERT_NE(fill, nullptr);
  char memory[] = "abcd";
  EXPECT_TRUE(fill(0, memory + 1, 'x', 2));
  EXPECT_STREQ(memory, "axxd");
}

}  // namespace
