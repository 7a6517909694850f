// Programs that treat memory in ways that only they expect, and programs that run out of memory.
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/userfaultfd.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <thread>
#include <vector>

#include "tests/faults/host.h"

using faults::total_ms;
using faults::Work;

namespace {

constexpr size_t kPage = 4096;

void Limit(decltype(RLIMIT_AS) which, rlim_t value) {
  const rlimit limit = {value, value};
  faults::Expect(setrlimit(which, &limit) == 0, "setrlimit");
}

// The program executes itself anew under the limit.
int Under(decltype(RLIMIT_AS) which, rlim_t value, const char* then) {
  Limit(which, value);
  char ms[16];
  snprintf(ms, sizeof ms, "%.0f", total_ms);
  execl("/proc/self/exe", "memory", then, ms, nullptr);
  return 90;
}

int LockedAll() {
  printf("mlockall %d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
  Work(total_ms / 2);
  std::thread([] { Work(total_ms / 2); }).join();
  return 0;
}

int AddressSpace512M() { return Under(RLIMIT_AS, 512ul << 20, "until_full"); }
int AddressSpace64M() { return Under(RLIMIT_AS, 64ul << 20, "until_full"); }
int Data64M() { return Under(RLIMIT_DATA, 64ul << 20, "until_full"); }

// Takes all memory that there is, and goes on without more.
int UntilFull() {
  Work(total_ms / 3);
  void* volatile last = nullptr;
  int large = 0, small = 0;
  while (large < 1000 && (last = malloc(1 << 20)) != nullptr) large++;
  while (small < 1000000 && (last = malloc(64)) != nullptr) small++;
  printf("full %d\n", large < 1000 && small < 1000000 && errno == ENOMEM);
  fflush(stdout);
  Work(total_ms / 3);
  pthread_t thread;
  const int error = pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  printf("thread %d\n", error);
  if (error == 0) pthread_join(thread, nullptr);
  Work(total_ms / 3);
  return 0;
}

// The break belongs to the program alone.
int OwnBreak() {
  char* const begin = static_cast<char*>(sbrk(0));
  int wrong = 0;
  for (int i = 0; i < 200; i++) {
    wrong += static_cast<char*>(sbrk(8192)) != begin + i * 8192;
    Work(total_ms / 200);
  }
  printf("wrong %d\n", wrong);
  return 0;
}

// x -> x + 1, after a loop. The code is written where it is executed, and no table describes it.
int WrittenCode() {
  static const unsigned char kCode[] = {0x48, 0xc7, 0xc1, 0x40, 0x42, 0x0f, 0x00,  // mov $1000000, %rcx
                                        0x48, 0xff, 0xc9,                          // 1: dec %rcx
                                        0x75, 0xfb,                                // jnz 1b
                                        0x48, 0x8d, 0x47, 0x01,                    // lea 1(%rdi), %rax
                                        0xc3};                                     // ret
  long sum = 0;
  const double end = static_cast<double>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID)) + total_ms * 1e6;
  while (static_cast<double>(truth::ClockNs(CLOCK_THREAD_CPUTIME_ID)) < end) {
    void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, kCode, sizeof kCode);
    mprotect(page, kPage, PROT_READ | PROT_EXEC);
    sum += reinterpret_cast<long (*)(long)>(page)(41) - 42;
    munmap(page, kPage);
  }
  printf("wrong by %ld\n", sum);
  return 0;
}

// Pages of the program's own code go and come back, as under tracers and patchers.
int CodeTakenAway() {
  char* const page = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(&faults::WaitFor) & ~(kPage - 1));
  int done = 0;
  for (int i = 0; i < 200; i++) {
    const uintptr_t work = reinterpret_cast<uintptr_t>(&fault_work) & ~(kPage - 1);
    if (reinterpret_cast<uintptr_t>(page) != work) done += mprotect(page, kPage, PROT_READ) == 0;
    Work(total_ms / 200);
    mprotect(page, kPage, PROT_READ | PROT_EXEC);
  }
  printf("done\n");
  return done < 0;
}

// The tables that exceptions need: a program without exceptions never reads them.
int TablesTakenAway() {
  struct Range {
    uintptr_t begin = 0, end = 0;
  };
  static Range tables;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        if (info->dlpi_name[0] != 0 || tables.begin != 0) return 0;
        uintptr_t header = 0;
        for (int i = 0; i < info->dlpi_phnum; i++) {
          if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) header = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        }
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && header >= begin && header < begin + segment.p_memsz) {
            tables.begin = header & ~(kPage - 1);
            tables.end = (begin + segment.p_memsz + kPage - 1) & ~(kPage - 1);
          }
        }
        return 0;
      },
      nullptr);
  Work(total_ms / 3);
  const uint64_t iterations = truth::Iterations(total_ms / 3);  // constants lie there too
  mprotect(reinterpret_cast<void*>(tables.begin), tables.end - tables.begin, PROT_NONE);
  fault_work(iterations);
  mprotect(reinterpret_cast<void*>(tables.begin), tables.end - tables.begin, PROT_READ);
  Work(total_ms / 3);
  printf("back again\n");
  return 0;
}

int userfaults;

// Pages that a thread of the program provides.
int Userfaultfd() {
  constexpr size_t kPages = 500;
  userfaults = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
  uffdio_api api = {UFFD_API, 0, 0};
  ioctl(userfaults, UFFDIO_API, &api);
  char* const area =
      static_cast<char*>(mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  uffdio_register range = {};
  range.range = {reinterpret_cast<uintptr_t>(area), kPages * kPage};
  range.mode = UFFDIO_REGISTER_MODE_MISSING;
  if (ioctl(userfaults, UFFDIO_REGISTER, &range) != 0) return 90;
  std::thread provider([] {
    static char page[kPage];
    uffd_msg message;
    for (size_t i = 0; i < kPages; i++) {
      if (read(userfaults, &message, sizeof message) != sizeof message) return;
      Work(total_ms / 2 / kPages);
      page[0] = 7;
      uffdio_copy copy = {message.arg.pagefault.address & ~(kPage - 1), reinterpret_cast<uintptr_t>(page), kPage, 0, 0};
      ioctl(userfaults, UFFDIO_COPY, &copy);
    }
  });
  long sum = 0;
  for (size_t i = 0; i < kPages; i++) {
    Work(total_ms / 2 / kPages);
    sum += area[i * kPage];
  }
  provider.join();
  printf("sum %ld\n", sum);
  return 0;
}

// Huge numbers of mappings: near the kernel's limit there is room for few more.
int ManyMappings() {
  size_t made = 0;
  for (; made < 60000; made++) {
    const int protection = made % 2 == 0 ? PROT_READ : PROT_NONE;
    if (mmap(nullptr, kPage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
    if (made % 1000 == 0) Work(total_ms / 60);
  }
  printf("made %zu\n", made);
  std::thread([] { Work(20); }).join();
  return 0;
}

int Arenas() {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 4096);
  mallopt(M_PERTURB, 85);
  mallopt(M_TRIM_THRESHOLD, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([i] {
      std::vector<void*> blocks;
      for (size_t j = 0; j < 5000; j++) {
        blocks.push_back(malloc(j * 37 % 9000 + static_cast<size_t>(i)));
        if (j % 2 == 0) {
          free(blocks[j / 2]);
          blocks[j / 2] = nullptr;
        }
        if (j % 100 == 0) Work(total_ms / 200);
      }
      for (void* block : blocks) free(block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  malloc_trim(0);
  printf("blocks freed\n");
  return 0;
}

}  // namespace

#ifdef OWN_MALLOC
// A malloc that counts, and does not expect other code in the process.
static long calls;
static char heap[512 << 20];
static size_t used = 64;

extern "C" void* malloc(size_t size) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  const size_t at = __atomic_fetch_add(&used, (size + 31) & ~size_t{15}, __ATOMIC_RELAXED);
  if (at + size > sizeof heap) return nullptr;
  memcpy(heap + at, &size, sizeof size);
  return heap + at + 16;
}
extern "C" void free(void*) {}
extern "C" void* calloc(size_t count, size_t size) { return malloc(count * size); }
extern "C" void* realloc(void* block, size_t size) {
  void* const larger = malloc(size);
  if (larger == nullptr || block == nullptr) return larger;
  size_t old;
  memcpy(&old, static_cast<char*>(block) - 16, sizeof old);
  memcpy(larger, block, old < size ? old : size);
  return larger;
}
#else
static long calls;
#endif

namespace {

int CountedCalls() {
  const long before = calls;
  Work(total_ms / 2);
  for (int i = 0; i < 1000; i++) free(malloc(static_cast<size_t>(i)));
  Work(total_ms / 2);
  printf("calls %ld\n", calls - before);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static const faults::Mode modes[] = {{"locked_all", LockedAll},
                                       {"address_space_512m", AddressSpace512M},
                                       {"address_space_64m", AddressSpace64M},
                                       {"data_64m", Data64M},
                                       {"until_full", UntilFull},
                                       {"own_break", OwnBreak},
                                       {"written_code", WrittenCode},
                                       {"code_taken_away", CodeTakenAway},
                                       {"tables_taken_away", TablesTakenAway},
                                       {"userfaultfd", Userfaultfd},
                                       {"many_mappings", ManyMappings},
                                       {"arenas", Arenas},
                                       {"counted_calls", CountedCalls}};
  return faults::Run(argc, argv, modes);
}
