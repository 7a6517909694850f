// The collector's own table of objects against glibc's _dl_find_object, which needs glibc 2.35.
#include "profiler/collect/base/loaded_objects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ompprof::collect {
namespace {

constexpr char kLibrary[] = "libz.so.1";

struct Segment {
  uintptr_t first;
  uintptr_t last;
};

std::vector<Segment> CodeOfAllObjects() {
  std::vector<Segment> code;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const uintptr_t first = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
            static_cast<std::vector<Segment>*>(data)->push_back({first, first + segment.p_memsz - 1});
        }
        return 0;
      },
      &code);
  return code;
}

// The table serves all tests below, so the first one asks glibc before.
TEST(LoadedObjects, AreThoseOfGlibc) {
  std::vector<LoadedObject> of_glibc;
  const std::vector<Segment> code = CodeOfAllObjects();
  ASSERT_GT(code.size(), 4u);
  for (const Segment& segment : code) {
    LoadedObject object;
    ASSERT_TRUE(FindLoadedObject(segment.first, &object));
    of_glibc.push_back(object);
  }
  UseOwnTableOfObjects();
  for (size_t i = 0; i < code.size(); ++i) {
    LoadedObject object;
    ASSERT_TRUE(FindLoadedObject(code[i].first, &object));
    EXPECT_LE(object.start, code[i].first);
    EXPECT_GT(object.end, code[i].last);
    EXPECT_EQ(object.map, of_glibc[i].map) << i;
    EXPECT_EQ(object.eh_frame_hdr, of_glibc[i].eh_frame_hdr) << i;
    ASSERT_TRUE(FindLoadedObject(code[i].last, &object));
    EXPECT_EQ(object.map, of_glibc[i].map) << i;
  }
}

TEST(LoadedObjects, StacksAndHeapsAreNone) {
  UseOwnTableOfObjects();
  LoadedObject object;
  const auto heap = std::make_unique<int>(0);
  EXPECT_FALSE(FindLoadedObject(reinterpret_cast<uintptr_t>(&object), &object));
  EXPECT_FALSE(FindLoadedObject(reinterpret_cast<uintptr_t>(heap.get()), &object));
  EXPECT_FALSE(FindLoadedObject(0, &object));
  EXPECT_FALSE(FindLoadedObject(UINTPTR_MAX, &object));
}

TEST(LoadedObjects, ComeAndGo) {
  UseOwnTableOfObjects();
  void* library = dlopen(kLibrary, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto function = reinterpret_cast<uintptr_t>(dlsym(library, "inflate"));
  LoadedObject object;
  RefreshLoadedObjects();
  ASSERT_TRUE(FindLoadedObject(function, &object));
  EXPECT_NE(std::string(object.map->l_name).find("libz"), std::string::npos);
  ASSERT_EQ(dlclose(library), 0);
  if (dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD) != nullptr) GTEST_SKIP() << "the library stays: something else uses it.";
  RefreshLoadedObjects();
  EXPECT_FALSE(FindLoadedObject(function, &object));
}

std::atomic<uint64_t> asked{0};
std::atomic<uint64_t> wrong{0};
std::atomic<uint64_t> unknown{0};

void Ask(int) {
  const auto here = reinterpret_cast<uintptr_t>(&Ask);
  LoadedObject object;
  if (!FindLoadedObject(here, &object))
    ++unknown;
  else if (here < object.start || here >= object.end || object.map == nullptr || object.map->l_name[0] != '\0')
    ++wrong;
  ++asked;
}

// Signals and a reader meet tables that change, and never see half of one.
TEST(LoadedObjects, AreWholeWhileTheyChange) {
  UseOwnTableOfObjects();
  struct sigaction action {};
  action.sa_handler = Ask;
  action.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGVTALRM, &action, nullptr), 0);
  const itimerval often{{0, 200}, {0, 200}};
  ASSERT_EQ(setitimer(ITIMER_VIRTUAL, &often, nullptr), 0);
  std::atomic<bool> done{false};
  std::thread reader([&done] {
    while (!done) Ask(0);
  });
  for (int i = 0; i < 2000; ++i) {
    void* library = dlopen(kLibrary, RTLD_NOW);
    ASSERT_NE(library, nullptr);
    RefreshLoadedObjects();
    dlclose(library);
    RefreshLoadedObjects();
  }
  done = true;
  reader.join();
  const itimerval never{};
  setitimer(ITIMER_VIRTUAL, &never, nullptr);
  EXPECT_GT(asked, 100u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_LT(unknown, asked / 10);
}

}  // namespace
}  // namespace ompprof::collect
