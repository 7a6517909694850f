// The code that the tests' made-up samples are in: a program as clang 19 would compile it (main.omp_outlined),
// pieces as clang 14 (.omp_outlined.) and gcc (solve._omp_fn.0) would, and a runtime. Labels mark the places; #line
// fixes the lines that the tests expect.
#define AT(label) __asm__ volatile(".globl " #label "\n" #label ": nop")

// A call that creates a construct, whose codeptr_ra is the label.
#define CREATES(label) __asm__ volatile("nop\n.globl " #label "\n" #label ": nop")

#line 10 "team.c"
void compute(void) { AT(in_compute); }
#line 20
void leaf(void) { AT(in_leaf); }
#line 30
void runtime(void) { AT(in_runtime); }
void fortran_routine(void) __asm__("omp_set_lock_");
void fortran_routine(void) { AT(in_routine); }

// main: a region at line 42.
#line 40
int main(void) {
#line 42
  CREATES(main_fork);
#line 48
  AT(in_main);
  return 0;
}
void main_body(void) __asm__("main.omp_outlined");
#line 42
void main_body(void) {
#line 43
  AT(in_region);
#line 44
  CREATES(nested_fork);
#line 45
  CREATES(task_create);
}
void nested_body(void) __asm__("main.omp_outlined.omp_outlined");
#line 44
void nested_body(void) { AT(in_nested); }
void task_entry(void) __asm__("main.omp_task_entry.");
#line 45
void task_entry(void) { AT(in_task); }
void task_creator(void) __asm__("helper");
#line 50
void task_creator(void) {
#line 51
  CREATES(helper_create);
}

// clang 14: the parent is not in the names, and a wrapper calls the body.
#line 100
void old_style(void) {
#line 102
  CREATES(old_fork);
}
void old_wrapper(void) __asm__(".omp_outlined.");
#line 102
void old_wrapper(void) { AT(in_old_wrapper); }
void old_body(void) __asm__(".omp_outlined._debug__");
#line 103
void old_body(void) {
#line 104
  AT(in_old_body);
}
#line 110
void caller(void) {
#line 112
  CREATES(left_by_tail_call);
}

// gcc: the parent is in the name, parallel or task is not.
void gcc_body(void) __asm__("solve._omp_fn.0");
#line 202
void gcc_body(void) { AT(in_gcc); }
#line 200
void solve(void) {
#line 202
  CREATES(gcc_fork);
}
