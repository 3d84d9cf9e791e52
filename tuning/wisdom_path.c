#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wisdom_file.h"

/* Returns the status of a path whose text, if it was all written, has `length` characters. */
static enum gmg_wisdom_status whole(char *path, size_t size, int length)
{
  if (length >= 0 && (size_t)length < size)
    return GMG_WISDOM_OK;
  if (size)
    path[0] = 0;
  return GMG_WISDOM_ABSENT;
}

enum gmg_wisdom_status gmg_wisdom_user_path(char *path, size_t size)
{
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && cache[0] == '/')
    return whole(path, size, snprintf(path, size, "%s/gmg/wisdom.json", cache));
  if (home && home[0] == '/')
    return whole(path, size, snprintf(path, size, "%s/.cache/gmg/wisdom.json", home));
  return whole(path, size, -1);
}

/* Finds the file of the library or program that this function is in. Returns 0 if it cannot. */
static int own_file(char file[PATH_MAX])
{
  static const char here;
  Dl_info about;
  const int known = dladdr(&here, &about) && about.dli_fname && strchr(about.dli_fname, '/');
  /* of a program that was found by PATH only its name is known */
  return realpath(known ? about.dli_fname : "/proc/self/exe", file) != NULL;
}

enum gmg_wisdom_status gmg_wisdom_shipped_folder(char *path, size_t size)
{
  enum { FOLDERS_UP = 3 }; /* from lib/<triplet>/libgmg.so or bin/gmg */
  char file[PATH_MAX];
  if (!own_file(file))
    return whole(path, size, -1);
  for (int n = 0; n < FOLDERS_UP && strrchr(file, '/'); n++) {
    *strrchr(file, '/') = 0;
    const int length = snprintf(path, size, "%s/share/gmg/wisdom", file);
    if (whole(path, size, length) == GMG_WISDOM_OK && access(path, R_OK | X_OK) == 0)
      return GMG_WISDOM_OK;
  }
  return whole(path, size, -1);
}
