#include "compile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ir/canonical.h"
#include "frontend/frontend.h"

#ifndef GMG_VERSION
#define GMG_VERSION "unversioned"
#endif

const char *gen_hash_file(const char *path)
{
  uint64_t hash = 14695981039346656037u;
  for (const char *c = "gmg-gen " GMG_VERSION "\n"; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  FILE *file = fopen(path, "rb");
  if (!file) {
    gen_reject((struct gen_location){.file = path}, "cannot be read: %s", strerror(errno));
    return NULL;
  }
  for (int c = getc(file); c != EOF; c = getc(file))
    hash = (hash ^ (unsigned)c) * 1099511628211u;
  fclose(file);
  return gen_text("%016" PRIx64, hash);
}

static const char *stem_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return gen_text("%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
}

static bool read_file(struct gen_job *job, struct gen_file *file)
{
  file->stem = stem_of(file->path);
  file->hash = gen_hash_file(file->path);
  if (!file->hash
      || !gen_parse(file->path, job->arguments, job->argument_count, &file->kernel, &file->kernels))
    return false;
  file->proof = gen_allocate((size_t)file->kernels * sizeof *file->proof);
  file->colouring = gen_allocate((size_t)file->kernels * sizeof *file->colouring);
  file->operator_ = gen_allocate((size_t)file->kernels * sizeof *file->operator_);
  bool good = true;
  for (int n = 0; n < file->kernels; n++) {
    struct gen_kernel *kernel = file->kernel[n];
    good = gen_check_levels(kernel) && gen_check(kernel, &file->proof[n]) && good;
    if (strcmp(kernel->name, "restrict_cell") == 0)
      job->restriction = kernel;
  }
  return good;
}

/* What was derived is proved as well: nothing is emitted that was not checked. */
static bool check_derived(const struct gen_operator *op)
{
  for (int n = 0; n < op->count; n++)
    if (!gen_check(op->derived[n].kernel, NULL))
      return false;
  return true;
}

static bool derive_file(struct gen_job *job, struct gen_file *file)
{
  bool good = true;
  for (int n = 0; n < file->kernels; n++) {
    if (file->kernel[n]->kind != GEN_OPERATOR)
      continue;
    struct gen_operator *op = gen_allocate(sizeof *op);
    file->operator_[n] = op;
    good = gen_understand(file->kernel[n], op)
      && gen_find_colouring(file->kernel[n], &op->colouring, &op->colours, &file->colouring[n])
      && gen_derive(op, job->restriction) && check_derived(op) && good;
  }
  return good;
}

bool gen_compile(struct gen_job *job)
{
  bool good = true;
  for (int n = 0; n < job->files; n++)
    good = read_file(job, &job->file[n]) && good;
  for (int n = 0; good && n < job->files; n++)
    good = derive_file(job, &job->file[n]) && good;
  return good;
}
