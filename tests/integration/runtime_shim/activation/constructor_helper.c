void help(int* sum) {
#pragma omp critical(helper)
  *sum += 1;
}
