// The error directive at execution time: severity warning, with a message and without; the program goes on.
//
// RUNTIMES: gomp because clang 14 does not know the directive
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(void) {
  conf_settle();                                                        // AT(first)
#pragma omp error at(execution) severity(warning) message("mind this")  // AT(first)
  conf_mark("between");                                                 // AT(second)
#pragma omp error at(execution) severity(warning)                       // AT(second)
  return 0;
}

// EXPECT(tool): set_callback callback=error result=always
//
// EXPECT(initial): error severity=warning message=mind_this length=9 codeptr=@first now_enter!=0
// EXPECT(initial): mark name=between now_enter=0
// EXPECT(initial): error severity=warning length=0 codeptr=@second
// STDERR: mind this
