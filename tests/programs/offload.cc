// Target regions on a device that is this machine's own processor (LLVM's x86_64 plugin), and serial work. The regions'
// data travels to the device and back, which is work of the offloading runtime. Without the plugin, the regions run on
// the host, and no data travels.
//   truth count devices N
//   truth wall regions N    CPU time within the regions
//   offload [CPU_MS]        of the work in regions, and of the serial work
#include <omp.h>

#include "truth.h"

#pragma omp begin declare target
TRUTH_WORK(region_work)
static uint64_t RegionNs() { return truth::ClockNs(CLOCK_THREAD_CPUTIME_ID); }
#pragma omp end declare target
TRUTH_WORK(serial_work)

static truth::Account serial("function", "serial_work");

// The offloading runtime registers the regions and starts the tool in a constructor of the program, before all of the
// program's own. A function of this section runs even before that.
static uint64_t before_constructors_ns;
static void ReadClock() { before_constructors_ns = truth::ClockNs(CLOCK_PROCESS_CPUTIME_ID); }
__attribute__((section(".preinit_array"), used)) static void (*const read_clock)() = ReadClock;

constexpr int kRounds = 50;
constexpr int kMapped = 1 << 22;
static unsigned char mapped[kMapped];

// Returns the CPU time within the region.
TRUTH_FUNCTION uint64_t one_region(uint64_t iterations) {
  uint64_t ns = 0;
#pragma omp target map(tofrom : mapped) map(from : ns)
  {
    const uint64_t begin = RegionNs();
    mapped[0] = static_cast<unsigned char>(region_work(iterations));
    ns = RegionNs() - begin;
  }
  return ns;
}

int main(int argc, char** argv) {
  const double ms = static_cast<double>(truth::Argument(argc, argv, 1, 1000));
  const uint64_t iterations = truth::Iterations(ms / kRounds);
  uint64_t ns = 0;
  for (int round = 0; round < kRounds; round++) ns += one_region(iterations);
  {
    truth::Timed timed(serial);
    serial_work(truth::Iterations(ms));
  }
  printf("truth count devices %d\n", omp_get_num_devices());
  printf("truth wall regions wall_ns %llu\n", static_cast<unsigned long long>(ns));
  serial.Print();
  truth::PrintProcess(before_constructors_ns);
  return 0;
}
