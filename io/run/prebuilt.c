#include "prebuilt.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/parallel.h"
#include "file/output.h"
#include "program_table.h"
#include "system/isa.h"

int prebuilt_named(const char *path)
{
  const size_t length = strlen(path), ending = sizeof ".so" - 1;
  return length > ending && strcmp(path + length - ending, ".so") == 0;
}

static int load(const char *path, struct compiled *compiled, struct failure *failure)
{
  char whole[PATH_MAX];
  if (!realpath(path, whole)) /* which has a slash: else the loader would search its own folders */
    return failure_set(failure, STATUS_INPUT, "%s cannot be read: %s", path, strerror(errno));
  compiled->library = dlopen(whole, RTLD_NOW | RTLD_LOCAL);
  if (!compiled->library)
    return failure_set(failure, STATUS_INPUT, "%s cannot be loaded: %s", path, dlerror());
  compiled->made =
    (const struct gmg_program_descriptor *const *)dlsym(compiled->library, "gmg_program_entry");
  if (!compiled->made)
    return failure_set(failure, STATUS_INPUT,
                       "%s has no program in it: expected what gmg run FILE.stencil --compile "
                       "FILE.so has written",
                       path);
  const struct gmg_program_descriptor *made = compiled->made[0];
  if (made->format != GMG_PROGRAM_FORMAT)
    return failure_set(failure, STATUS_INPUT,
                       "%s was compiled by another version of gmg: its table has format %d, "
                       "expected %d",
                       path, made->format, GMG_PROGRAM_FORMAT);
  if (!gmg_isa_runs(made->isa))
    return failure_set(failure, STATUS_INPUT,
                       "%s was compiled for %s, which this processor does not have; gmg run "
                       "--compile takes another one by --isa",
                       path, made->isa);
  compiled->cached = 1;
  return 0;
}

int prebuilt_load(const char *path, struct compiled *compiled, struct failure *failure)
{
  memset(compiled, 0, sizeof *compiled);
  load(path, compiled, failure);
  return parallel_agree(failure);
}

static int copy(FILE *from, FILE *to)
{
  char buffer[1 << 16];
  size_t count;
  while ((count = fread(buffer, 1, sizeof buffer, from)) > 0)
    if (fwrite(buffer, 1, count, to) != count)
      return -1;
  return ferror(from) ? -1 : 0;
}

static void copy_library(const char *path, const struct output *output, struct failure *failure)
{
  FILE *from = fopen(path, "rb"), *to = from ? fopen(output->temporary, "wb") : NULL;
  int failed = !to || copy(from, to);
  if (to)
    failed |= fclose(to) != 0;
  if (from)
    fclose(from);
  if (failed)
    failure_set(failure, STATUS_MACHINE, "%s cannot be written: %s", output->path, strerror(errno));
  output_finish_alone(output, failure);
}

int prebuilt_write(const struct compiled *compiled, const char *path, struct failure *failure)
{
  struct output output;
  if (output_prepare(path, 0, &output, failure))
    return failure->status;
  if (parallel_rank() == 0)
    copy_library(compiled->path, &output, failure);
  return parallel_agree(failure);
}
