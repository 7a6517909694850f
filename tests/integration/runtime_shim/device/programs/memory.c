// Device memory: omp_target_alloc, _free, _memcpy, _memcpy_rect, _associate_ptr, is_device_ptr, use_device_ptr.
#include <string.h>

#include "check.h"

enum { kCount = 1000 };

int main(int count, char** arguments) {
  begin(count, arguments);
  const int host = omp_get_initial_device(), device = has_device ? omp_get_num_devices() - 1 : host;
  double here[kCount], back[kCount] = {0};
  for (int i = 0; i < kCount; i++) here[i] = i;
  double* there = omp_target_alloc(sizeof(here), device);
  double* other = omp_target_alloc(sizeof(here), device);
  CHECK(omp_target_memcpy(there, here, sizeof(here), 0, 0, device, host) == 0);
#pragma omp target is_device_ptr(there) device(device)
  for (int i = 0; i < kCount; i++) there[i] *= 2;
  CHECK(omp_target_memcpy(other, there, sizeof(here) / 2, sizeof(here) / 2, 0, device, device) == 0);
  CHECK(omp_target_memcpy(back, other, sizeof(here) / 2, 0, sizeof(here) / 2, host, device) == 0);
  CHECK(back[kCount / 2 - 1] == kCount - 2 && back[kCount / 2] == 0);

  // Two rows of three columns from the middle of 4 x 5, to the corner of 3 x 3.
  double small[9] = {0};
  const size_t volume[2] = {2, 3}, to[2] = {0, 0}, from[2] = {1, 1}, small_size[2] = {3, 3}, large_size[2] = {4, 5};
  CHECK(omp_target_memcpy_rect(small, there, sizeof(double), 2, volume, to, from, small_size, large_size, host,
                               device) == 0);
  CHECK(small[0] == 12 && small[2] == 16 && small[3] == 22 && small[5] == 26 && small[6] == 0);

  if (has_device) {
    int mark = 0;
    CHECK(omp_target_associate_ptr(here, there, sizeof(here), 0, device) == 0);
    CHECK(omp_target_is_present(here, device) == 1);
#pragma omp target map(tofrom : here, mark) device(device)
    mark = here[3] == 6;
    CHECK(mark && here[3] == 3);
    CHECK(omp_target_disassociate_ptr(here, device) == 0);
  }
  double* pointer = here;
#pragma omp target data map(to : here) use_device_ptr(pointer) device(device)
  {
    CHECK((pointer != here) == has_device);
    CHECK(omp_target_memcpy(back, pointer, sizeof(here), 0, 0, host, device) == 0 && back[9] == 9);
  }
  omp_target_free(there, device);
  omp_target_free(other, device);
  return end();
}
