#include "program_command.h"

#include "derive/compose.h"
#include "directives/translation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *a, const char *b)
{
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev
    && one.st_ino == other.st_ino;
}

const char *gen_standalone_fault(bool standalone, const char *path, const char *from,
                                 const char *target, const char *output, const char *level)
{
  const size_t length = output ? strlen(output) : 0;
  const bool cuda = length > 3 && strcmp(output + length - 3, ".cu") == 0;
  if (standalone && !from)
    return "--standalone is for directives: give --from mint or --from panda";
  if (standalone && (target || !output))
    return "--standalone takes -o FILE.cu or -o FILE.c, and no --target";
  if (standalone && same_file(path, output))
    return gen_text("-o %s is the input itself: --standalone would overwrite it", output);
  if (level && (!standalone || !cuda))
    return "--opt is for --standalone -o FILE.cu";
  if (level && (strlen(level) != 1 || !strchr("01234", *level)))
    return gen_text("--opt takes 0, 1, 2, 3 or 4, not '%s'", level);
  return NULL;
}

const char *gen_backends_of(const char *option)
{
  static const char *const names[][2] = {
    {"-mpi", "openmp"}, {"-gpu", "cuda"}, {"-hybrid", "cuda,openmp"}};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (strcmp(option, names[n][0]) == 0)
      return names[n][1];
  return NULL;
}

const char *gen_backends_fault(const char *path, const char *from, const char *target,
                               const char *output, bool standalone)
{
  if (!from)
    return "-mpi, -gpu and -hybrid are for directives: give --from mint or --from panda";
  if (target || standalone || !output)
    return "-mpi, -gpu and -hybrid take -o FILE.c, no --target and no --standalone";
  if (same_file(path, output))
    return gen_text("-o %s is the input itself, which would be overwritten", output);
  return NULL;
}

enum { DONE = 0, REJECTED = 1, MACHINE = 3 };

const char *gen_read_compose(const char *text, const struct gen_program_request *request,
                             int *steps)
{
  char *end = NULL;
  const long found = text ? strtol(text, &end, 10) : 0;
  *steps = (int)found;
  if (!text)
    return NULL;
  if (end == text || *end || found < 2 || found > GEN_MOST_COMPOSED)
    return gen_text("--compose takes a whole number from 2 to %d, not '%s'", GEN_MOST_COMPOSED,
                    text);
  if (strcmp(request->target, "library") != 0
      && (request->output || strcmp(request->target, "cuda") == 0))
    return gen_text("--compose is for --target library, --explain and --dump: target '%s' takes "
                    "steps one by one",
                    request->target);
  return NULL;
}

/* The C text of a whole program stands by itself, and has no solver. */
static bool check_solves(const struct gen_program_job *job,
                         const struct gen_program_request *request)
{
  const struct gen_program *program = job->program;
  const bool whole =
    strcmp(request->target, "library") != 0 && strcmp(request->target, "cuda") != 0;
  return !request->output || !whole || !program->solves
    || gen_reject(program->solve[0].where,
                  "'solve %s' calls a solver, which target '%s' does not have: expected --target "
                  "library, for gmg_program_attach",
                  program->solve[0].name, request->target);
}

static int emit(const struct gen_program_job *job, const struct gen_program_request *request)
{
  struct gen_writer writer = {0};
  const bool cuda = strcmp(request->target, "cuda") == 0;
  bool good = true;
  if (!request->output && (!cuda || request->explain || request->dump))
    return DONE;
  if (request->backends)
    good = gen_emit_marked(job, request->output, request->backends, &writer);
  else if (request->standalone)
    good = gen_emit_standalone(job, request->output, request->level, &writer);
  else if (cuda)
    good = gen_emit_program_cuda(job, &writer);
  else if (strcmp(request->target, "library") == 0)
    good = gen_emit_program_library(job, &writer);
  else
    gen_emit_program_job(job, strcmp(request->target, "serial") != 0, &writer);
  const bool saved = !good || !request->output || gen_save(&writer, request->output);
  if (!saved)
    fprintf(stderr, "gmg-gen: %s: cannot be written: %s\n", request->output, strerror(errno));
  if (good && !request->output)
    fputs(writer.text, stdout);
  if (!good)
    fputs(gen_diagnostics(), stderr);
  gen_writer_clear(&writer);
  return !good ? REJECTED : saved ? DONE : MACHINE;
}

/* What the C file does between steps, and its program does not. */
static void note_host(const struct gen_program_job *job)
{
  const struct gen_syntax *message = job->translation ? job->translation->message : NULL,
                          *stop = job->translation ? job->translation->stop : NULL;
  if (stop)
    gen_note(stop->where, "'%s' is left out: a program takes as many steps as it is told to",
             gen_shown(stop));
  if (message)
    gen_note(message->where, "'%s' is left out: steps print nothing", gen_shown(message));
}

int gen_run_program_request(struct gen_program_job *job, const struct gen_program_request *request)
{
  const bool good = gen_compile_program(job) && check_solves(job, request);
  if (good && !request->standalone && !request->backends)
    note_host(job);
  fputs(gen_diagnostics(), stderr);
  if (!good)
    return REJECTED;
  if (request->explain)
    fputs(gen_explain_program(job), stdout);
  if (request->dump && strcmp(request->dump, "program") == 0)
    fputs(gen_program_text(job->program), stdout);
  for (int k = 0; request->dump && strcmp(request->dump, "tree") == 0 && k < job->program->kernels;
       k++)
    fputs(gen_kernel_text(job->program->kernel[k].kernel), stdout);
  if (request->dump && strcmp(request->dump, "tree") == 0 && job->compose)
    fputs(gen_kernel_text(job->program->composed.kernel.kernel), stdout);
  return emit(job, request);
}
