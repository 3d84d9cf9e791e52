#include "output.h"

#include "emit/galerkin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_ISAS = 16, EXIT_REJECTED = 1, EXIT_MACHINE = 3 };

static int save(struct gen_writer *writer, const char *path)
{
  const bool good = gen_save(writer, path);
  if (!good)
    fprintf(stderr, "gmg-gen: %s: cannot be written: %s\n", path, strerror(errno));
  gen_writer_clear(writer);
  return good ? 0 : EXIT_MACHINE;
}

static int save_libraries(const struct gen_job *job, const char *folder, const char *isas)
{
  struct gen_writer writer = {0};
  const char *isa[MAX_ISAS];
  int count = 0;
  for (const char *name = isas; *name && count < MAX_ISAS; name += *name == ',') {
    const int length = (int)strcspn(name, ",");
    if (length)
      isa[count++] = gen_text("%.*s", length, name);
    name += length;
  }
  gen_emit_libraries(job, isa, count, &writer);
  return save(&writer, gen_text("%s/libraries.c", folder));
}

int gen_write_folder(const struct gen_job *job, const char *folder, const char *isas, bool cuda)
{
  struct gen_writer writer = {0};
  int code = 0;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "gmg-gen: %s: cannot be made: %s\n", folder, strerror(errno));
    return EXIT_MACHINE;
  }
  for (int f = 0; code == 0 && f < job->files; f++) {
    (cuda ? gen_emit_cuda_file : gen_emit_file)(job, &job->file[f], &writer);
    code = save(&writer, gen_text("%s/%s.c", folder, job->file[f].stem));
  }
  if (code)
    return code;
  (cuda ? gen_emit_cuda_registry : gen_emit_registry)(job, &writer);
  code = save(&writer, gen_text("%s/registry.c", folder));
  return code || !isas || cuda ? code : save_libraries(job, folder, isas);
}

int gen_write_text(const struct gen_job *job, const char *path, bool cuda)
{
  struct gen_writer writer = {0};
  (cuda ? gen_emit_cuda_text : gen_emit_file)(job, &job->file[0], &writer);
  if (path)
    return save(&writer, path);
  fputs(writer.text, stdout);
  gen_writer_clear(&writer);
  return 0;
}

int gen_write_galerkin(const struct gen_job *job, const char *path, bool constant)
{
  struct gen_writer writer = {0};
  const struct gen_file *file = &job->file[0];
  bool good = true, any = false;
  gen_line(&writer, "#include \"stencil.h\"");
  for (int n = 0; n < file->kernels && good; n++) {
    struct gen_galerkin *product = gen_allocate(sizeof *product);
    if (!file->operator_[n])
      continue;
    any = true;
    good =
      gen_galerkin(file->operator_[n], constant, product) && gen_emit_galerkin(product, &writer);
  }
  fputs(gen_diagnostics(), stderr);
  if (!any)
    fprintf(stderr, "gmg-gen: %s has no operator (GMG_OPERATOR)\n", file->path);
  if (good && any && path)
    return save(&writer, path);
  if (good && any)
    fputs(writer.text, stdout);
  gen_writer_clear(&writer);
  return good && any ? 0 : EXIT_REJECTED;
}
