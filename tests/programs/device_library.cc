// A library with a target region, for a program without OpenMP that opens it: libgomp comes with the library then, for
// the library alone.
//   long launch(long count)    launches `count` kernels, and returns how many ran
extern "C" long launch(long count) {
  long ran = 0;
  for (long i = 0; i < count; i++) {
#pragma omp target map(tofrom : ran)
    ran++;
  }
  return ran;
}
