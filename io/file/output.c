#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/bytes.h"
#include "common/interrupt.h"
#include "common/parallel.h"

int output_name(const char *path, const char *ending, char *name, size_t size,
                struct failure *failure)
{
  static const char *const extensions[] = {".h5", ".hdf5"};
  size_t stem = strlen(path);
  for (int n = 0; n < 2; n++) {
    size_t length = strlen(extensions[n]);
    if (stem > length && strcmp(path + stem - length, extensions[n]) == 0) {
      stem -= length;
      break;
    }
  }
  if ((size_t)snprintf(name, size, "%.*s%s", (int)stem, path, ending) >= size)
    return failure_set(failure, STATUS_INPUT, "the path %.60s... is too long", path);
  return 0;
}

static int cannot(const char *path, int error, struct failure *failure)
{
  return failure_set(failure, STATUS_INPUT, "%s cannot be written: %s", path, strerror(error));
}

/* The name under which a file is written: machine and process tell it from those of other runs. */
static void name_temporary(struct output *output)
{
  enum { HOST = 64 };
  char host[HOST + 1] = "";
  gethostname(host, HOST);
  snprintf(output->temporary, sizeof output->temporary, "%s.partial-%s-%ld", output->path, host,
           (long)getpid());
}

/* Whether it still runs: one that ended and that nobody has waited for does not. */
static int is_running(long process)
{
  char path[64], state = 0;
  if (kill((pid_t)process, 0) != 0 && errno == ESRCH)
    return 0;
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  FILE *file = fopen(path, "r");
  if (file) {
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
      state = 0;
    fclose(file);
  }
  return state != 'Z' && state != 'X';
}

/* Removes what runs on this machine left of the file when they were killed. */
static void sweep(const struct output *output)
{
  char folder[PATH_MAX], stem[sizeof output->temporary];
  const char *slash = strrchr(output->temporary, '/');
  strcpy(stem, slash ? slash + 1 : output->temporary);
  strrchr(stem, '-')[1] = 0; /* the process comes last */
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output->temporary) + 1 : 2,
           slash ? output->temporary : "./");
  DIR *entries = opendir(folder);
  if (!entries)
    return;
  for (struct dirent *entry; (entry = readdir(entries));) {
    size_t length = strlen(stem);
    char *end = NULL;
    long process =
      strncmp(entry->d_name, stem, length) == 0 ? strtol(entry->d_name + length, &end, 10) : 0;
    if (process > 0 && !*end && !is_running(process))
      unlinkat(dirfd(entries), entry->d_name, 0);
  }
  closedir(entries);
}

static int prepare_alone(const char *path, int devices, struct output *output,
                         struct failure *failure)
{
  struct stat found;
  if (strlen(path) >= sizeof output->path || !path[0])
    return cannot(path, path[0] ? ENAMETOOLONG : ENOENT, failure);
  strcpy(output->path, path);
  if (stat(path, &found) == 0) {
    if (S_ISDIR(found.st_mode))
      return cannot(path, EISDIR, failure);
    output->direct = !S_ISREG(found.st_mode);
    if (output->direct && !devices)
      return failure_set(failure, STATUS_INPUT, "%s cannot be written: it is not a regular file",
                         path);
    if (access(path, W_OK) != 0 || (!output->direct && !realpath(path, output->path)))
      return cannot(path, errno, failure);
  }
  strcpy(output->temporary, output->path);
  if (output->direct)
    return 0;
  name_temporary(output);
  sweep(output);
  int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor < 0)
    return cannot(path, errno, failure);
  close(descriptor);
  unlink(output->temporary);
  return 0;
}

int output_prepare(const char *path, int devices, struct output *output, struct failure *failure)
{
  memset(output, 0, sizeof *output);
  if (parallel_rank() == 0)
    prepare_alone(path, devices, output, failure);
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(output, sizeof *output);
  return 0;
}

/* On disk, so that a crash of the machine leaves the old file or the whole new one. */
static int settle(const char *path)
{
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0)
    return -1;
  int error = fsync(descriptor);
  return close(descriptor) || error ? -1 : 0;
}

/* Makes the file, empty, after a trial of whether so much goes there. File systems that cannot tell
 * are taken at their word. */
static int try_room(const struct output *output, double bytes, struct failure *failure)
{
  static const double slack = 1 << 20; /* for the names of things */
  int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int error = descriptor < 0 ? errno : 0;
  char needed[40];
  gmg_bytes_text(bytes, needed, sizeof needed);
  if (!error && fallocate(descriptor, 0, 0, (off_t)(bytes + slack)) != 0)
    error = errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : 0;
  if (descriptor >= 0 && (ftruncate(descriptor, 0) != 0 || close(descriptor) != 0))
    error = error ? error : errno;
  if (error)
    failure_set(failure, STATUS_MACHINE, "%s could not be written: %s (%s are needed)",
                output->path, strerror(error), needed);
  return failure->status;
}

int output_begin(const struct output *output, double bytes, struct failure *failure)
{
  interrupt_file(output->temporary);
  if (parallel_rank() == 0)
    try_room(output, bytes, failure);
  return parallel_agree(failure);
}

static int unwritten(const struct output *output, struct failure *failure)
{
  return failure_set(failure, STATUS_MACHINE, "%s could not be written: %s", output->path,
                     strerror(errno));
}

int output_finish_alone(const struct output *output, struct failure *failure)
{
  if (output->direct)
    return failure->status;
  if (!failure->status
      && (settle(output->temporary) != 0 || rename(output->temporary, output->path) != 0))
    unwritten(output, failure);
  if (failure->status)
    unlink(output->temporary);
  interrupt_file(NULL);
  return failure->status;
}

int output_finish(const struct output *output, struct failure *failure)
{
  parallel_agree(failure);
  if (parallel_rank() == 0)
    output_finish_alone(output, failure);
  parallel_agree(failure);
  interrupt_file(NULL);
  return failure->status;
}

int output_text(const struct output *output, void (*write)(const void *user, FILE *stream),
                const void *user, struct failure *failure)
{
  interrupt_file(output->direct ? NULL : output->temporary);
  FILE *stream = fopen(output->temporary, "w");
  if (!stream)
    return unwritten(output, failure);
  write(user, stream);
  int error = ferror(stream);
  if (fclose(stream) != 0 || error)
    unwritten(output, failure);
  return output_finish_alone(output, failure);
}
