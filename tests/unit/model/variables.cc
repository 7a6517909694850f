// The library of data_symbols_test: locks as programs have them.
#include <omp.h>

struct Account {
  long sum;
  omp_lock_t lock;
};

struct Table {
  int size;
  omp_lock_t locks[4];
};

struct Base {
  int number;
  omp_nest_lock_t guard;
};

struct Bank : Base {
  Account accounts[2][3];
  union {
    int small;
    long large;
  };
  static omp_lock_t shared;
};

omp_lock_t global_lock;
Table table;
omp_lock_t plain[3];
omp_lock_t Bank::shared;

namespace banks {
Bank bank;
}

static omp_lock_t* Inner() {
  static omp_lock_t once;
  return &once;
}

extern "C" void* inner() { return Inner(); }
