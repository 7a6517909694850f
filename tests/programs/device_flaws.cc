// Programs for a device with a known flaw, and the same programs mended. Kernels sleep, so that a machine of one
// processor tells the same. The host of a flawed program computes for a fixed CPU time. The host of a mended one
// computes while its device does, however little of that time other programs leave: the device is not idle meanwhile.
//   device_flaws MODE flawed|mended [SCALE]      about SCALE ms
//   truth wall MODE NS                           wall time of the work
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "truth.h"

TRUTH_WORK(host_work)

namespace {

constexpr int kMapped = 8 << 20;
unsigned char mapped[kMapped];

void KernelSleep(double ms) { usleep(static_cast<useconds_t>(ms * 1000)); }

TRUTH_FUNCTION void launch_mapped(double ms) {
#pragma omp target map(tofrom : mapped)
  {
    ++mapped[0];
    KernelSleep(ms);
  }
}

// A few launches, each with the array both ways. Mended, the array travels once.
void Transfers(bool mended, double ms) {
  constexpr int kLaunches = 4;
  if (mended) {
#pragma omp target data map(tofrom : mapped)
    for (int launch = 0; launch < kLaunches; ++launch) launch_mapped(ms / 16);
  } else {
    for (int launch = 0; launch < kLaunches; ++launch) launch_mapped(ms / 16);
  }
}

void HostWork(bool mended, double ms) {
  const clockid_t clock = mended ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
  const uint64_t end = truth::ClockNs(clock) + static_cast<uint64_t>(ms * 1e6);
  while (truth::ClockNs(clock) < end) host_work(truth::Iterations(0.1));
}

TRUTH_FUNCTION void launch(double ms) {
#pragma omp target
  KernelSleep(ms);
}

TRUTH_FUNCTION void launch_nowait(double ms) {
#pragma omp target nowait
  KernelSleep(ms);
}

// The host computes as long as the device does. Mended, both at the same time.
void Alternate(bool mended, double ms) {
  constexpr int kSteps = 10;
  for (int step = 0; step < kSteps; ++step) {
    const double each = ms / 2 / kSteps;
    if (mended)
      launch_nowait(each);
    else
      launch(each);
    HostWork(mended, each);
#pragma omp taskwait
  }
}

// The host computes and the device hardly works. Mended, the device does half of the host's work.
void IdleDevice(bool mended, double ms) {
  constexpr int kSteps = 10;
  launch(1);
  for (int step = 0; step < kSteps; ++step) {
    const double each = ms / kSteps;
    if (mended) launch_nowait(each / 2);
    HostWork(mended, mended ? each / 2 : each);
#pragma omp taskwait
  }
}

// The device works, and the host only waits for it: nothing is to be mended.
void Control(double ms) {
  constexpr int kLaunches = 20;
#pragma omp target data map(tofrom : mapped [0:4096])
  for (int i = 0; i < kLaunches; ++i) launch(ms / kLaunches);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "control";
  const bool mended = argc > 2 && std::strcmp(argv[2], "mended") == 0;
  const double ms = static_cast<double>(truth::Argument(argc, argv, 3, 500));
  truth::Iterations(1);  // measures the processor
  const uint64_t start = truth::ClockNs(CLOCK_MONOTONIC);
  if (mode == "transfers") Transfers(mended, ms);
  if (mode == "alternate") Alternate(mended, ms);
  if (mode == "idle-device") IdleDevice(mended, ms);
  if (mode == "control") Control(ms);
  std::printf("truth wall %s %.0f\n", mode.c_str(), static_cast<double>(truth::ClockNs(CLOCK_MONOTONIC) - start));
  truth::PrintProcess();
  return 0;
}
