// A library whose constructor runs a region, while dlopen holds the loader's lock.
static int sum;

__attribute__((constructor)) static void run(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    sum++;
#pragma omp barrier
#pragma omp atomic
    sum++;
  }
}

int use_region(void) { return sum != 4; }
