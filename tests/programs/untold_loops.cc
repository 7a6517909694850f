// A static loop, compiled by hand, whose kind the compiler does not tell LLVM's runtime. flang's loops are such, and
// clang's before version 5. With MIXED there is a loop by clang as well, and a name of flang's library.
#include <stdio.h>

struct Ident {
  int reserved_1;
  int flags;
  int reserved_2;
  int reserved_3;
  const char* psource;
};
extern "C" {
int __kmpc_global_thread_num(Ident*);
void __kmpc_for_static_init_4(Ident*, int thread, int schedule, int* last, int* lower, int* upper, int* stride,
                              int increment, int chunk);
void __kmpc_for_static_fini(Ident*, int thread);
#ifdef MIXED
void _FortranAStopStatement() {}
#endif
}

static const Ident place = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};  // KMP_IDENT_KMPC

int main() {
  const int count = 1000;
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    Ident* ident = const_cast<Ident*>(&place);
    const int thread = __kmpc_global_thread_num(ident);
    int last = 0, lower = 0, upper = count - 1, stride = 1;
    __kmpc_for_static_init_4(ident, thread, /*static, no chunk*/ 34, &last, &lower, &upper, &stride, 1, 1);
    for (int i = lower; i <= upper && i < count; ++i) sum += i;
    __kmpc_for_static_fini(ident, thread);
#ifdef MIXED
#pragma omp for
    for (int i = 0; i < count; ++i) sum -= i;
#endif
  }
#ifdef MIXED
  _FortranAStopStatement();
#endif
  printf("%ld\n", sum);
}
