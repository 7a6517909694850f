// A library without OpenMP that calls what it is given.
int call_function(int (*function)(void)) { return function(); }
