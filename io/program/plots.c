#include "plots.h"

#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"

enum { STATUS_NO_MATPLOTLIB = 4, STATUS_NOT_FOUND = 127, MOST_WORDS = 4 + 2 * PLOTS_MOST };
extern char **environ;

/* The script, which lies where the program was installed or built. Returns 0 where it is not. */
static int find_script(const char *name, char path[PATH_MAX])
{
  char program[PATH_MAX], whole[PATH_MAX + sizeof GMG_SHARE + 60];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return 0;
  program[length] = 0;
  *strrchr(program, '/') = 0;
  snprintf(whole, sizeof whole, "%s/%s/%.50s", program, GMG_SHARE, name);
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

void plots_name_json(const char *picture, char name[PATH_MAX])
{
  const char *dot = strrchr(picture, '.'), *slash = strrchr(picture, '/');
  const int stem = dot && dot > picture && (!slash || dot > slash + 1) ? (int)(dot - picture)
                                                                       : (int)strlen(picture);
  snprintf(name, PATH_MAX, "%.*s.json", stem, picture);
}

int plots_check_names(const char *const *path, int count, const char *what, struct failure *failure)
{
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++)
      if (path[a] && path[b] && strcmp(path[a], path[b]) == 0)
        return failure_set(failure, STATUS_INPUT, "%s is named twice; %s must be different files",
                           path[a], what);
  return 0;
}

int plots_draw(const struct plots *plots, const struct progress *progress)
{
  /* The one of the path, and the system's, for which distributions package matplotlib. */
  static const char *const pythons[] = {"python3", "/usr/bin/python3"};
  char script[PATH_MAX], *words[MOST_WORDS] = {NULL};
  int count = 0, status = STATUS_NOT_FOUND;
  if (!find_script(plots->script, script)) {
    fprintf(stderr, "gmg: no plots: %s is not installed beside the program, in %s\n", plots->script,
            GMG_SHARE);
    return 0;
  }
  count++;
  words[count++] = script;
  words[count++] = (char *)plots->json; /* posix_spawn only reads its words */
  for (int n = 0; n < PLOTS_MOST; n++)
    if (plots->picture[n]) {
      words[count++] = (char *)plots->option[n];
      words[count++] = (char *)plots->picture[n];
    }
  for (int n = 0; n < 2 && (status == STATUS_NOT_FOUND || status == STATUS_NO_MATPLOTLIB); n++) {
    words[0] = (char *)pythons[n]; /* by which it finds its modules */
    status = run_python(words);
  }
  for (int n = 0; n < PLOTS_MOST && status == 0; n++)
    if (plots->picture[n])
      progress_line(progress, "drew       %s", plots->picture[n]);
  if (status == 0)
    return 1;
  fprintf(stderr, "gmg: no plots: %s; %s has what they show: python3 %s %s draws it\n",
          status == STATUS_NOT_FOUND ? "there is no python3; install it with matplotlib"
            : status == STATUS_NO_MATPLOTLIB
            ? "install matplotlib for python3 (Debian: python3-matplotlib)"
            : "the script failed",
          plots->json, script, plots->json);
  return 0;
}
