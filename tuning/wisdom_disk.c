#include "wisdom_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum gmg_wisdom_status fail(enum gmg_wisdom_status status, char *sentence, const char *path,
                                   const char *what)
{
  snprintf(sentence, GMG_WISDOM_SENTENCE, "%.200s: %s", path, what);
  return status;
}

/* Opens a regular file for reading, without waiting where it is a pipe. Returns -1 with errno. */
static int open_regular(const char *path, struct stat *about)
{
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 || (fstat(file, about) == 0 && S_ISREG(about->st_mode)))
    return file;
  close(file);
  errno = S_ISDIR(about->st_mode) ? EISDIR : EINVAL;
  return -1;
}

enum gmg_wisdom_status gmg_wisdom_read_file(const char *path, char **text, size_t *bytes,
                                            char *sentence)
{
  struct stat about = {0};
  const int file = open_regular(path, &about);
  if (file < 0)
    return fail(errno == ENOENT || errno == ENOTDIR ? GMG_WISDOM_ABSENT : GMG_WISDOM_UNREADABLE,
                sentence, path, strerror(errno));
  enum gmg_wisdom_status status = GMG_WISDOM_OK;
  *bytes = 0;
  *text = about.st_size <= GMG_WISDOM_BYTES ? malloc((size_t)about.st_size + 1) : NULL;
  if (about.st_size > GMG_WISDOM_BYTES)
    status = fail(GMG_WISDOM_UNREADABLE, sentence, path, "it is larger than 16 MiB");
  else if (!*text)
    status = fail(GMG_WISDOM_MEMORY, sentence, path, "out of memory");
  while (status == GMG_WISDOM_OK && *bytes < (size_t)about.st_size) {
    const ssize_t got = read(file, *text + *bytes, (size_t)about.st_size - *bytes);
    if (got == 0)
      break;
    if (got > 0)
      *bytes += (size_t)got;
    else if (errno != EINTR)
      status = fail(GMG_WISDOM_UNREADABLE, sentence, path, strerror(errno));
  }
  close(file);
  if (status != GMG_WISDOM_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}

static int write_all(int file, const char *text, size_t bytes)
{
  while (bytes) {
    const ssize_t done = write(file, text, bytes);
    if (done < 0 && errno != EINTR)
      return 0;
    if (done > 0) {
      text += done;
      bytes -= (size_t)done;
    }
  }
  return 1;
}

/* Flushes the folder of a file, so that the new name outlasts a loss of power. What cannot be
 * flushed is left to the system. */
static void flush_folder(const char *path)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0)
    return;
  fsync(file);
  close(file);
}

enum gmg_wisdom_status gmg_wisdom_replace_file(const char *path, const char *text, size_t bytes,
                                               char *sentence)
{
  char fresh[PATH_MAX];
  struct stat about;
  if (snprintf(fresh, sizeof fresh, "%s.new", path) >= (int)sizeof fresh)
    return fail(GMG_WISDOM_UNWRITABLE, sentence, path, strerror(ENAMETOOLONG));
  if (access(path, F_OK) == 0 && access(path, W_OK) != 0) /* as its owner protected it */
    return fail(GMG_WISDOM_UNWRITABLE, sentence, path, strerror(errno));
  unlink(fresh); /* what a killed process left */
  const int file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail(GMG_WISDOM_UNWRITABLE, sentence, fresh, strerror(errno));
  int well = stat(path, &about) != 0 || fchmod(file, about.st_mode & 0777) == 0;
  well = well && write_all(file, text, bytes) && fsync(file) == 0;
  int error = errno;
  if (close(file) != 0 && well) {
    well = 0;
    error = errno;
  }
  if (well && rename(fresh, path) != 0) {
    well = 0;
    error = errno;
  }
  if (!well) {
    unlink(fresh);
    return fail(GMG_WISDOM_UNWRITABLE, sentence, path, strerror(error));
  }
  flush_folder(path);
  return GMG_WISDOM_OK;
}

enum gmg_wisdom_status gmg_wisdom_keep_aside(const char *path, char *sentence)
{
  char aside[PATH_MAX];
  if (snprintf(aside, sizeof aside, "%s.refused", path) >= (int)sizeof aside)
    return fail(GMG_WISDOM_UNWRITABLE, sentence, path, strerror(ENAMETOOLONG));
  unlink(aside);
  if (link(path, aside) != 0 && rename(path, aside) != 0) /* file systems without further names */
    return fail(GMG_WISDOM_UNWRITABLE, sentence, aside, strerror(errno));
  return GMG_WISDOM_OK;
}

enum gmg_wisdom_status gmg_wisdom_make_folders(const char *path, char *sentence)
{
  char folder[PATH_MAX];
  if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
    return fail(GMG_WISDOM_UNWRITABLE, sentence, path, strerror(ENAMETOOLONG));
  for (char *slash = strchr(folder + 1, '/'); folder[0] && slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
      const int error = errno;
      if (access(folder, F_OK) != 0) /* some file systems refuse before they look */
        return fail(GMG_WISDOM_UNWRITABLE, sentence, folder, strerror(error));
    }
    *slash = '/';
  }
  return GMG_WISDOM_OK;
}

enum gmg_wisdom_status gmg_wisdom_lock(const char *path, int *lock, char *sentence)
{
  enum { TRIES_PER_SECOND = 100 };
  char name[PATH_MAX];
  if (snprintf(name, sizeof name, "%s.lock", path) >= (int)sizeof name)
    return fail(GMG_WISDOM_UNWRITABLE, sentence, path, strerror(ENAMETOOLONG));
  *lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (*lock < 0)
    return fail(GMG_WISDOM_UNWRITABLE, sentence, name, strerror(errno));
  for (int tries = 0; tries < GMG_WISDOM_PATIENCE * TRIES_PER_SECOND; tries++) {
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
      return GMG_WISDOM_OK;
    if (errno != EWOULDBLOCK && errno != EINTR) {
      const int error = errno;
      close(*lock);
      return fail(GMG_WISDOM_UNWRITABLE, sentence, name, strerror(error));
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TRIES_PER_SECOND}, NULL);
  }
  close(*lock);
  return fail(GMG_WISDOM_BUSY, sentence, name, "another process has kept it locked for 30 seconds");
}

void gmg_wisdom_unlock(int lock)
{
  close(lock);
}
