"""The programs of gomp_test, which also runs for each older generation of OMPT."""

GOMP_PROGRAMS = [
    "call_sites_fortran",
    "call_sites_gcc",
    "constructs_gcc",
    "dlopen_omp",
    "exceptions_gcc",
    "flat_c",
    "flat_fortran",
    "flat_gcc",
    "libdlopen_omp.so",
    "libdlopen_omp_gcc.so",
    "nested_c",
    "nested_fortran",
    "nested_gcc",
    "qsort_worker_gcc",
    "recursion_gcc",
    "serial_then_parallel_gcc",
    "std_threads_gcc",
    "tasks_fortran",
    "tasks_gcc",
    "two_runtimes",
]
