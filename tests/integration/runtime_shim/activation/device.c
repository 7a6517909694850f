// A program that is its own tool. It asks for the state of a thread that waits for a device (fake_device.c): in a
// target region, and in a target region by the call of gcc before version 6. A device without the program's code runs
// no region: libgomp then runs the region on the host.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdio.h>

void GOMP_target(int, void (*)(void*), const void*, size_t, void**, size_t*, unsigned char*);

static ompt_get_state_t get_state;
static int failures, waits, runs;

static void expect_state(ompt_state_t state, const char* where) {
  if (get_state(NULL) == (int)state) return;
  failures++;
  printf("state 0x%x %s\n", get_state(NULL), where);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  return 1;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}

static void on_wait(void) {
  waits++;
  expect_state(ompt_state_wait_target, "while it waits for the device");
}

static void do_nothing(void) {}

static void region_on_host(void* unused) {
  (void)unused;
  runs++;
  expect_state(ompt_state_work_serial, "in a region on the host, by the old call");
}

static void region(void* unused) { (void)unused; }

int main(void) {
  void (**while_waiting)(void) = (void (**)(void))dlsym(RTLD_DEFAULT, "while_waiting");
  if (while_waiting == NULL) return 2;
  *while_waiting = on_wait;
  int x = 0;
#pragma omp target map(tofrom : x)
  x = 1;
  expect_state(ompt_state_work_serial, "behind it");
  void* none[1] = {NULL};
  size_t sizes[1] = {0};
  unsigned char kinds[1] = {0};
  GOMP_target(-1, region, NULL, 0, none, sizes, kinds);
  expect_state(ompt_state_work_serial, "behind the second one");
  *(int*)dlsym(RTLD_DEFAULT, "has_code") = 0;
  *while_waiting = do_nothing;
#pragma omp target map(tofrom : x)
  {
    expect_state(ompt_state_work_serial, "in a region on the host");
    x++;
  }
  GOMP_target(-1, region_on_host, NULL, 0, none, sizes, kinds);
  expect_state(ompt_state_work_serial, "behind the fallback");
  if (failures == 0 && waits == 2 && x == 2 && runs == 1) puts("done");
  return failures != 0;
}
