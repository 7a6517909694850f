// A library in front of libgomp that acts as a device. Its regions run on the calling thread, which asks the program
// meanwhile.
#include <stddef.h>

void (*while_waiting)(void);
int has_code = 1;  // the device has the program's code

int omp_target_is_present(const void* address, int device) { return (void)device, address == NULL || has_code; }

int omp_get_num_devices(void) { return 1; }
int omp_get_initial_device(void) { return 1; }

void GOMP_target_ext(int device, void (*function)(void*), size_t count, void** addresses, size_t* sizes,
                     unsigned short* kinds, unsigned flags, void** depend, void** arguments) {
  (void)device, (void)count, (void)sizes, (void)kinds, (void)flags, (void)depend, (void)arguments;
  while_waiting();
  function(addresses);
}

void GOMP_target(int device, void (*function)(void*), const void* unused, size_t count, void** addresses, size_t* sizes,
                 unsigned char* kinds) {
  (void)device, (void)unused, (void)count, (void)sizes, (void)kinds;
  while_waiting();
  function(addresses);
}
