// Loops of each kind, for handler_loops_test.py. Each "finds" names a loop, call or recursion that the test must report
// as reached from Sample. It must report nothing else.
#include <stdlib.h>

#define APART extern "C" __attribute__((noinline, noclone, noipa))

int values[64];
APART int Pointed(int n);
int (*volatile pointer)(int) = Pointed;

// An inlined function's loop belongs to that function.
// finds: HERE | Sum | for (int i = 0; i < count; ++i)
static inline __attribute__((always_inline)) int Sum(const volatile int* from, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += from[i];
  }
  return sum;
}

// finds: HERE | Nested | for (int i = 0; i < count; ++i)
// finds: HERE | Nested | while (values[i] > 0)
APART void Nested(int count) {
  for (int i = 0; i < count; ++i) {
    while (values[i] > 0) {
      values[i] -= rand();  // finds: libc | rand |
    }
  }
}

// finds: HERE | Interpret | for (;;)
APART int Interpret(const unsigned char* program, int value) {
  for (;;) {
    switch (*program++) {
      case 0:
        value += 1;
        break;
      case 1:
        value *= 3;
        break;
      case 2:
        value ^= 5;
        break;
      case 3:
        value -= values[value & 63];
        break;
      case 4:
        values[value & 63] = 1;
        break;
      case 5:
        value = -value;
        break;
      case 6:
        value /= 3;
        break;
      case 7:
        return value;
      default:
        value = values[7];
    }
  }
}

// finds: HERE | AtItsEnd | while (values[count & 63]++ < count)
APART int AtItsEnd(int count) {
  do {
    values[3] += count;
  } while (values[count & 63]++ < count);
  return count;
}

// finds: recursion | Even, Odd |
APART int Odd(int n);
APART int Even(int n) { return n == 0 ? 1 : Odd(n - 1) + 1; }
APART int Odd(int n) { return n == 0 ? 0 : Even(n - 1) + 1; }

// Sample reaches this function through a pointer only.
// finds: HERE | Pointed | for (int i = n; i > values[5]; --i)
APART int Pointed(int n) {
  for (int i = n; i > values[5]; --i) {
    values[i & 63] = values[(i + 1) & 63] * 3;
  }
  return n;
}

// Sample does not call this.
APART __attribute__((visibility("default"))) int Elsewhere(int n) {
  while (values[n & 63] != 0) {
    n += values[1];
  }
  return n;
}

// finds: indirect | Sample |
extern "C" __attribute__((visibility("default"))) int Sample(int n, const unsigned char* program) {
  Nested(n);
  int sum = Interpret(program, n) + Even(n) + pointer(n) + Sum(values, n);
  if (n > 3) sum += Sum(values + 8, n - 3);
  values[0] = sum;
  return AtItsEnd(sum);  // a jump
}
