// The library that `unloading` loads. Its destructor works for as long as it was told, and prints how long.
#include "truth.h"

TRUTH_WORK(fini_work)

static double fini_ms;
static truth::Account fini("function", "fini_work");

TRUTH_FUNCTION void set_fini_ms(double ms) {
  truth::Iterations(1);
  fini_ms = ms;
}

__attribute__((destructor)) static void Unload() {
  {
    const truth::Timed timed(fini);
    fini_work(truth::Iterations(fini_ms));
  }
  fini.Print();
}
