#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int tools_here(char path[PATH_MAX])
{
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0)
    return 0;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  *(slash ? slash : path) = 0;
  return 1;
}

static int on_path(const char *name, char path[PATH_MAX])
{
  const char *at = getenv("PATH");
  if (strchr(name, '/'))
    return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && access(path, X_OK) == 0;
  while (at && *at) {
    const size_t length = strcspn(at, ":");
    if (snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name) < PATH_MAX
        && access(path, X_OK) == 0)
      return 1;
    at += length + (at[length] == ':');
  }
  return 0;
}

int tools_find(const char *variable, const char *const *names, char path[PATH_MAX])
{
  const char *given = getenv(variable);
  char here[PATH_MAX];
  if (given && *given)
    return on_path(given, path);
  for (; *names; names++)
    if ((tools_here(here) && snprintf(path, PATH_MAX, "%s/%s", here, *names) < PATH_MAX
         && access(path, X_OK) == 0)
        || on_path(*names, path))
      return 1;
  return 0;
}

/* Reads to the end, keeping what there is room for. */
static void drain(int from, char *said, size_t size)
{
  size_t used = 0;
  char rest[512];
  for (;;) {
    const int full = used + 1 >= size;
    const ssize_t got =
      full ? read(from, rest, sizeof rest) : read(from, said + used, size - 1 - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    used += full ? 0 : (size_t)got;
  }
  said[used] = 0;
}

int tools_run(const char *const *words, char *said, size_t size)
{
  enum { MOST_WORDS = 64 };
  int ends[2], status = 0, count = 0;
  char *list[MOST_WORDS + 1]; /* posix_spawn only reads its words */
  posix_spawn_file_actions_t actions;
  pid_t child;
  said[0] = 0;
  for (; count < MOST_WORDS && words[count]; count++)
    list[count] = (char *)words[count];
  list[count] = NULL;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  const int failed = posix_spawnp(&child, list[0], &actions, NULL, list, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (!failed)
    drain(ends[0], said, size);
  close(ends[0]);
  if (failed)
    return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

char *tools_read(const char *path)
{
  FILE *stream = fopen(path, "rb");
  char *text = NULL;
  size_t size = 0;
  if (!stream)
    return NULL;
  if (getdelim(&text, &size, 0, stream) < 0) {
    free(text);
    text = ferror(stream) ? NULL : calloc(1, 1);
  }
  fclose(stream);
  return text;
}
