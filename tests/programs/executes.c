// Executes a program in the way that HOW names, and prints its status.
//   executes HOW PROGRAM [ROOT]      ROOT: the root directory from then on
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return status;
}

static const char* program_of_handler;

static void Handler(int number) {
  (void)number;
  char* arguments[] = {(char*)program_of_handler, NULL};
  execve(program_of_handler, arguments, environ);
  _exit(125);
}

// From a handler on a stack of 8 KiB, as handlers of crashes have it.
static void BecomeInHandler(const char* program) {
  const size_t size = 8192;
  char* guarded = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(guarded + size, size, PROT_READ | PROT_WRITE);
  const stack_t stack = {.ss_sp = guarded + size, .ss_size = size};
  const struct sigaction action = {.sa_handler = Handler, .sa_flags = SA_ONSTACK};
  program_of_handler = program;
  if (sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0) raise(SIGUSR1);
}

// Returns only if the exec fails, or if `how` is no exec.
static void Become(const char* how, const char* program) {
  char first[] = "first";
  char* arguments[] = {(char*)program, first, NULL};
  const char* name = strrchr(program, '/') != NULL ? strrchr(program, '/') + 1 : program;
  if (strcmp(how, "execve") == 0) execve(program, arguments, environ);
  if (strcmp(how, "execv") == 0) execv(program, arguments);
  if (strcmp(how, "execvp") == 0) execvp(name, arguments);
  if (strcmp(how, "execvpe") == 0) execvpe(name, arguments, environ);
  if (strcmp(how, "execl") == 0) execl(program, program, first, NULL);
  if (strcmp(how, "execlp") == 0) execlp(name, program, first, NULL);
  if (strcmp(how, "execle") == 0) execle(program, program, first, NULL, environ);
  if (strcmp(how, "fexecve") == 0) fexecve(open(program, O_RDONLY | O_CLOEXEC), arguments, environ);
  if (strcmp(how, "fexecve_path") == 0) fexecve(open(program, O_PATH | O_CLOEXEC), arguments, environ);
  if (strcmp(how, "handler") == 0) BecomeInHandler(program);
  if (strcmp(how, "execveat") == 0) execveat(open(".", O_PATH | O_CLOEXEC), program, arguments, environ, 0);
}

static int Execute(const char* how, const char* program) {
  char first[] = "first";
  char* arguments[] = {(char*)program, first, NULL};
  const char* name = strrchr(program, '/') != NULL ? strrchr(program, '/') + 1 : program;
  pid_t child = 0;
  if (strcmp(how, "system") == 0) return system(program);
  if (strcmp(how, "popen") == 0) {
    FILE* output = popen(program, "r");
    char line[4096];
    while (output != NULL && fgets(line, sizeof line, output) != NULL) fputs(line, stdout);
    return output != NULL ? pclose(output) : -1;
  }
  if (strcmp(how, "posix_spawn") == 0)
    return posix_spawn(&child, program, NULL, NULL, arguments, environ) == 0 ? Wait(child) : -1;
  if (strcmp(how, "posix_spawnp") == 0)
    return posix_spawnp(&child, name, NULL, NULL, arguments, environ) == 0 ? Wait(child) : -1;
  child = strcmp(how, "execv") == 0 ? vfork() : fork();
  if (child == 0) {
    Become(how, program);
    _exit(126);
  }
  return Wait(child);
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  if (argc > 3 && (chroot(argv[3]) != 0 || chdir("/") != 0)) return 2;
  const int status = Execute(argv[1], argv[2]);
  printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  return 0;
}
