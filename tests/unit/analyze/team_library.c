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

// What macros make on one line. Lines do not tell whose region a body is, but the code does.
void fork_call(void (*body)(void)) { __asm__ volatile("" : : "r"(body) : "memory"); }
#define BODY(function, linked, label)                                        \
  __attribute__((visibility("hidden"))) void function(void) __asm__(linked); \
  void function(void) { AT(label); }

// clang 14: two functions, each with a region. They have left their frames by a jump to the runtime.
#define TWO_FUNCTIONS                               \
  BODY(macro0_body, ".omp_outlined..20", in_macro0) \
  BODY(macro1_body, ".omp_outlined..21", in_macro1) \
  void macro0(void) { fork_call(macro0_body); }     \
  void macro1(void) { fork_call(macro1_body); }
#line 300
TWO_FUNCTIONS
#line 310
void macro_caller(void) {
  CREATES(macro0_left);
  CREATES(macro1_left);
}

// gcc: two regions of one function.
#define TWO_REGIONS                               \
  BODY(twice0_body, "twice._omp_fn.0", in_twice0) \
  BODY(twice1_body, "twice._omp_fn.1", in_twice1) \
  void twice(void) {                              \
    fork_call(twice0_body);                       \
    CREATES(twice0_fork);                         \
    fork_call(twice1_body);                       \
    CREATES(twice1_fork);                         \
  }
#line 320
TWO_REGIONS

// gcc: a copy of a function, with a copy of its body.
#define TWO_COPIES                                                         \
  BODY(copied_body, "copied._omp_fn.0", in_copied)                         \
  BODY(copied_clone_body, "copied.constprop.0._omp_fn.0", in_copied_clone) \
  void copied_clone(void) __asm__("copied.constprop.0");                   \
  void copied(void) {                                                      \
    fork_call(copied_body);                                                \
    CREATES(copied_fork);                                                  \
  }                                                                        \
  void copied_clone(void) {                                                \
    fork_call(copied_clone_body);                                          \
    CREATES(copied_clone_fork);                                            \
  }
#line 330
TWO_COPIES
