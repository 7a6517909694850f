// Host threads that launch at once, on every device, with data of their own and shared data.
#include "check.h"

enum { kThreads = 6, kRounds = 40, kCount = 5000 };

int main(int count, char** arguments) {
  begin(count, arguments);
  const int devices = has_device ? omp_get_num_devices() : 1;
  static double shared_data[kCount];
  for (int i = 0; i < kCount; i++) shared_data[i] = 1;
  for (int device = 0; device < omp_get_num_devices(); device++) {
#pragma omp target enter data map(to : shared_data) device(device)
  }
#pragma omp parallel num_threads(kThreads)
  {
    const int thread = omp_get_thread_num();
    double own[100];
    for (int i = 0; i < 100; i++) own[i] = thread;
    for (int round = 0; round < kRounds; round++) {
      const int device = (thread + round) % devices;
      double sum = 0;
#pragma omp target map(tofrom : own, sum) map(to : shared_data) device(device)
      for (int i = 0; i < 100; i++) sum += own[i] += shared_data[i];
      CHECK(sum == 100 * (thread + round + 1));
    }
    CHECK(own[99] == thread + kRounds);
  }
  for (int device = 0; device < omp_get_num_devices(); device++) {
#pragma omp target exit data map(release : shared_data) device(device)
  }
  return end();
}
