// ompprof: a sampling profiler for OpenMP programs.
#include "profiler/cli/commands/command_line.h"

int main(int argc, char** argv) { return ompprof::cli::RunCommandLine(argc, argv); }
