// The error directive with severity fatal: the tool hears of it, then of the end, and the program ends with status 1.
//
// RUNTIMES: gomp because clang 14 does not know the directive
// EXIT: 1
#include "conformance.h"

int main(void) {
  conf_settle();                                              // AT(here)
#pragma omp error at(execution) severity(fatal) message("x")  // AT(here)
  return 0;
}

// EXPECT(initial): thread_begin type=initial
// EXPECT(initial): error severity=fatal message=x length=1 codeptr=@here
// EXPECT(initial): thread_end
// STDERR: fatal error: error directive encountered: x
