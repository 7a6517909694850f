// write_manual FOLDER: writes the manual pages and the completions, for scripts/install.
#include <cstdio>

#include "profiler/cli/manual/write_manual.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_manual FOLDER\n");
    return 2;
  }
  return ompprof::cli::WriteManual(argv[1]) ? 0 : 1;
}
