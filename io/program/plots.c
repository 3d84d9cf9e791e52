#include "plots.h"

#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"

enum { STATUS_NO_MATPLOTLIB = 4, STATUS_NOT_FOUND = 127, MOST_WORDS = 8 };
extern char **environ;

/* The script, which lies where the program was installed or built. Returns 0 where it is not. */
static int find_script(char path[PATH_MAX])
{
  char program[PATH_MAX], whole[PATH_MAX + sizeof GMG_SHARE + 20];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return 0;
  program[length] = 0;
  *strrchr(program, '/') = 0;
  snprintf(whole, sizeof whole, "%s/%s/plot.py", program, GMG_SHARE);
  return realpath(whole, path) != NULL && access(path, R_OK) == 0;
}

/* Runs a Python with the script; returns its exit status. */
static int run_python(char *const *words)
{
  pid_t child;
  int status;
  if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) != 0)
    return STATUS_NOT_FOUND;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return STATUS_NOT_FOUND;
  return WEXITSTATUS(status);
}

int plots_draw(const struct plots *plots, const struct progress *progress)
{
  /* The one of the path, and the system's, for which distributions package matplotlib. */
  static const char *const pythons[] = {"python3", "/usr/bin/python3"};
  char script[PATH_MAX], *words[MOST_WORDS] = {NULL, script, (char *)plots->json}; /* only read */
  int count = 3, status = STATUS_NOT_FOUND;
  if (!find_script(script)) {
    fprintf(stderr, "gmg: no plots: plot.py is not installed beside the program, in %s\n",
            GMG_SHARE);
    return 0;
  }
  const char *pair[2][2] = {{"--roofline", plots->roofline}, {"--levels", plots->levels}};
  for (int n = 0; n < 2; n++)
    if (pair[n][1]) {
      words[count++] = (char *)pair[n][0];
      words[count++] = (char *)pair[n][1];
    }
  for (int n = 0; n < 2 && (status == STATUS_NOT_FOUND || status == STATUS_NO_MATPLOTLIB); n++) {
    words[0] = (char *)pythons[n]; /* by which it finds its modules */
    status = run_python(words);
  }
  if (status == 0) {
    progress_line(progress, "drew       %s%s%s", plots->roofline ? plots->roofline : "",
                  plots->roofline && plots->levels ? ", " : "", plots->levels ? plots->levels : "");
    return 1;
  }
  fprintf(stderr, "gmg: no plots: %s; %s has what they show: python3 %s %s draws it\n",
          status == STATUS_NOT_FOUND ? "there is no python3; install it with matplotlib"
            : status == STATUS_NO_MATPLOTLIB
            ? "install matplotlib for python3 (Debian: python3-matplotlib)"
            : "the script failed",
          plots->json, script, plots->json);
  return 0;
}
