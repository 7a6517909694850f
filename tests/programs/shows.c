// Shows what a program sees of who started it: its arguments and its environment. Ends with 7.
#include <stdio.h>

extern char** environ;

int main(int argc, char** argv) {
  printf("%d arguments, the last is %s\n", argc, argv[argc - 1]);
  for (char** entry = environ; *entry != NULL; entry++) puts(*entry);
  return 7;
}
