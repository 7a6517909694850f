// A program into which nothing can be preloaded. It works, and says so. One build uses nothing of libc.
#ifdef WITHOUT_LIBC
static long Call(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return result;
}
#else
#include <stdio.h>
#endif

static unsigned long Work(unsigned long iterations) {
  unsigned long x = 88172645463325252u;
  for (unsigned long i = 0; i < iterations; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

#ifdef WITHOUT_LIBC
void _start(void) {
  const volatile unsigned long x = Work(100000000);
  (void)x;
  Call(1, 1, (long)"worked\n", 7);
  Call(231, 61, 0, 0);
  for (;;) {
  }
}
#else
int main(void) {
  const volatile unsigned long x = Work(100000000);
  (void)x;
  printf("worked\n");
  return 61;
}
#endif
