#include "program_job.h"

#include "check/ghosts.h"
#include "check/twice.h"
#include "derive/compose.h"
#include "derive/stability.h"
#include "directives/directives.h"
#include "emit/program.h"
#include "explain/explain.h"
#include "frontend/formula.h"
#include "compile.h"
#include "ir/canonical.h"
#include "standalone/standalone.h"

#include <math.h>
#include <string.h>

bool gen_compile_program(struct gen_program_job *job)
{
  if (job->from ? !gen_parse_directives(job->path, job->from, job->arguments, job->argument_count,
                                        &job->program, &job->translation)
                : !gen_parse_program(job->path, &job->program))
    return false;
  bool good = true;
  for (int k = 0; k < job->program->kernels; k++)
    good = gen_check(job->program->kernel[k].kernel, &job->proof[k]) && good;
  for (int r = 0; r < job->program->reductions; r++)
    good = gen_check(job->program->reduction[r].kernel.kernel, &job->reduction_proof[r]) && good;
  return good && gen_place_ghosts(job->program)
    && (!job->compose || gen_compose(job->program, job->compose));
}

/* References to arrays in a value, as they are written. */
static int references(const struct gen_expr *expr)
{
  int count = expr->kind == GEN_ACCESS;
  for (int n = 0; n < gen_arity(expr); n++)
    count += references(expr->argument[n]);
  return count;
}

static const char *explain_kernel(const struct gen_kernel *kernel, const struct gen_proof *proof)
{
  int reads = 0, stores = 0, streams = 0;
  for (int s = 0; s < kernel->statements; s++) {
    reads += references(kernel->statement[s].value);
    stores += kernel->statement[s].kind == GEN_STORE;
  }
  for (int a = 0; a < kernel->arrays; a++)
    streams += kernel->array[a].read + kernel->array[a].written;
  return gen_text(
    "\n%s  references to arrays per point: %d read, %d written; distinct streams: %d\n",
    gen_explain(kernel, proof), reads, stores, streams);
}

static struct gen_kernel *canonical(const struct gen_program_job *job,
                                    const struct gen_kernel *source)
{
  struct gen_kernel *kernel = gen_clone(source, source->name);
  if (!job->plain)
    gen_canonical(kernel);
  gen_mark_accesses(kernel);
  return kernel;
}

/* Operations and compulsory bytes in a cell. */
struct cost {
  double flops, bytes;
};

static struct cost cost_of(const struct gen_program_job *job, const struct gen_kernel *source)
{
  const struct gen_kernel *kernel = canonical(job, source);
  return (struct cost){gen_flops(kernel),
                       gen_bytes(kernel, job->program->type == GEN_FLOAT ? 4 : 8)};
}

/* What a step costs one by one, and as a part of the composed kernel. */
static const char *explain_composed(const struct gen_program_job *job)
{
  const struct gen_program *program = job->program;
  const struct gen_composed *composed = &program->composed;
  struct cost single = {0, 0}, all = cost_of(job, composed->kernel.kernel);
  for (int s = program->once; s < program->steps; s++)
    if (program->step[s].kind == GEN_STEP_RUN) {
      const struct cost cost = cost_of(job, program->kernel[program->step[s].kernel].kernel);
      single.flops += cost.flops;
      single.bytes += cost.bytes;
    }
  all.flops /= composed->steps;
  all.bytes /= composed->steps;
  return gen_text("%d steps composed, but for cells near walls, where they are taken one by one\n"
                  "  one by one: %d terms; per point and step %g operations, %g compulsory bytes\n"
                  "  composed:   %d terms; per point and step %.4g operations, %.4g compulsory "
                  "bytes\n"
                  "  %.3g times the operations of steps one by one, %.3g times the bytes%s\n",
                  composed->steps, composed->single_terms, single.flops, single.bytes,
                  composed->terms, all.flops, all.bytes, all.flops / single.flops,
                  all.bytes / single.bytes, all.bytes < single.bytes ? "" : ": it does not pay");
}

/* Whether GPUs may take two steps in one pass. */
static const char *explain_twice(const struct gen_program *program)
{
  const struct gen_twice twice = gen_find_twice(program);
  return twice.reason ? gen_text("two steps in one pass on a GPU: no, %s\n", twice.reason)
                      : "two steps in one pass on a GPU: yes\n";
}

static const char *range_text(const struct gen_program *program,
                              const struct gen_stable_range *range)
{
  const char *name = program->scalar[range->scalar].name;
  if (isinf(range->low) || isinf(range->high))
    return isinf(range->low) && isinf(range->high) ? gen_text("%s any value", name)
      : isinf(range->low)                          ? gen_text("%s up to %.5g", name, range->high)
                                                   : gen_text("%s from %.5g", name, range->low);
  return gen_text("%s from %.5g to %.5g", name, range->low, range->high);
}

/* Whether errors grow. */
static const char *explain_stability(const struct gen_program *program)
{
  const struct gen_stability found = gen_find_stability(program);
  if (found.reason)
    return gen_text("stability by Fourier analysis: not known, %s\n", found.reason);
  const char *text =
    gen_text("stability by Fourier analysis, without walls: a step makes errors grow by a factor "
             "of at most %.5g: %s\n",
             found.growth, found.stable ? "stable" : "unstable");
  for (int n = 0; n < found.ranges; n++)
    text = gen_text("%s  stable with %s%s\n", text, range_text(program, &found.range[n]),
                    found.ranges > 1 ? ", the other parameters being as they are" : "");
  return text;
}

const char *gen_explain_program(const struct gen_program_job *job)
{
  const struct gen_program *program = job->program;
  const char *text = gen_program_text(program);
  for (int k = 0; k < program->kernels; k++)
    text = gen_text("%s%s", text, explain_kernel(program->kernel[k].kernel, &job->proof[k]));
  for (int r = 0; r < program->reductions; r++)
    text = gen_text("%s%s", text,
                    explain_kernel(program->reduction[r].kernel.kernel, &job->reduction_proof[r]));
  text = gen_text("%s\n%s%s", text, explain_stability(program), explain_twice(program));
  return program->composed.steps ? gen_text("%s\n%s", text, explain_composed(job)) : text;
}

static int references_to(const struct gen_expr *expr, int array)
{
  int count = expr->kind == GEN_ACCESS && expr->access.array == array;
  for (int n = 0; n < gen_arity(expr); n++)
    count += references_to(expr->argument[n], array);
  return count;
}

/* Whether a kernel reads an array so often that loads are what a GPU is busy with: then a thread
 * takes several planes at once, which have most of the values in common. Of 27 points are left 11
 * loads a cell, where two planes at once make 18. */
static bool is_wide(const struct gen_kernel *kernel)
{
  enum { MANY = 18 };
  for (int a = 0; a < kernel->arrays; a++) {
    int count = 0;
    for (int s = 0; s < kernel->statements; s++)
      count += references_to(kernel->statement[s].value, a);
    if (count >= MANY && kernel->arrays <= 4)
      return true;
  }
  return false;
}

void gen_emit_program_job(const struct gen_program_job *job, bool threads,
                          struct gen_writer *writer)
{
  struct gen_kernel *kernel[GEN_MAX_PROGRAM_KERNELS], *value[GEN_MAX_REDUCTIONS];
  for (int k = 0; k < job->program->kernels; k++)
    kernel[k] = canonical(job, job->program->kernel[k].kernel);
  for (int r = 0; r < job->program->reductions; r++)
    value[r] = canonical(job, job->program->reduction[r].kernel.kernel);
  gen_emit_program(writer, job->program, kernel, value, threads);
}

/* The kernels as they are emitted, those of reductions, and that of several steps. */
struct units {
  struct gen_unit kernel[GEN_MAX_PROGRAM_KERNELS], value[GEN_MAX_REDUCTIONS], composed;
  struct gen_twice twice;
};

/* Notes what the k-th kernel writes beyond walls. */
static void add_images(const struct gen_program *program, int k, struct gen_unit *unit)
{
  for (int a = 0; a < program->kernel[k].kernel->arrays; a++) {
    const int of = gen_images_of(program, k, a);
    if (of < 0)
      continue;
    unit->image[unit->images].array = a;
    unit->image[unit->images++].of = &program->array[of];
  }
}

/* more: what the symbol ends in, beside names of kernels. */
static struct gen_unit make_unit(const struct gen_program_job *job, const char *hash,
                                 const struct gen_kernel *source, const char *more)
{
  const struct gen_program *program = job->program;
  struct gen_kernel *kernel = canonical(job, source);
  struct gen_schedule *schedule = gen_schedule(kernel, GEN_PLAIN, program->type);
  gen_prefix_names(schedule);
  const struct gen_work work = {.symbol =
                                  gen_text("%s_%s_%s%s", program->name, kernel->name,
                                           program->type == GEN_FLOAT ? "f32" : "f64", more),
                                .role = GEN_ROLE_AS_WRITTEN,
                                .flops = gen_flops(kernel),
                                .reals = gen_bytes(kernel, 1.0),
                                .dimensions = *more ? 0 : program->dimensions,
                                .wide = is_wide(kernel)};
  return (struct gen_unit){.schedule = schedule,
                           .role = work.role,
                           .variant = "",
                           .source = job->path,
                           .source_hash = hash,
                           .comment = kernel->name,
                           .flops = work.flops,
                           .reals = work.reals,
                           .symbol = work.symbol,
                           .streams = gen_stores_apart(schedule),
                           .cuda = gen_schedule_cuda(schedule, &work)};
}

/* False after a rejection. */
static bool make_units(const struct gen_program_job *job, struct units *units)
{
  const struct gen_program *program = job->program;
  const char *hash = gen_hash_file(job->path);
  for (int k = 0; hash && k < program->kernels; k++) {
    units->kernel[k] = make_unit(job, hash, program->kernel[k].kernel, "");
    add_images(program, k, &units->kernel[k]);
  }
  units->twice = gen_find_twice(program);
  if (!units->twice.reason)
    units->kernel[units->twice.kernel].twice = &units->twice;
  for (int r = 0; hash && r < program->reductions; r++)
    units->value[r] = make_unit(job, hash, program->reduction[r].kernel.kernel, "_value");
  if (hash && program->composed.steps)
    units->composed = make_unit(job, hash, program->composed.kernel.kernel, "_steps");
  return hash != NULL;
}

bool gen_emit_program_library(const struct gen_program_job *job, struct gen_writer *writer)
{
  struct units units;
  if (!make_units(job, &units))
    return false;
  gen_emit_prelude(writer, job->path);
  gen_line(writer,
           "#include \"program_table.h\"\n"
           "#include \"cuda/runtime/cuda_kernel.h\"\n"
           "\n"
           "#ifndef GMG_ISA_NAME\n"
           "#define GMG_ISA_NAME \"native\"\n"
           "#endif\n"
           "\n");
  for (int k = 0; k < job->program->kernels; k++) {
    gen_emit_openmp(writer, &units.kernel[k]);
    gen_emit_descriptor(writer, &units.kernel[k]);
    gen_emit_cuda_kernel(writer, &units.kernel[k]);
  }
  for (int r = 0; r < job->program->reductions; r++) {
    gen_emit_openmp(writer, &units.value[r]);
    gen_emit_descriptor(writer, &units.value[r]);
    gen_emit_cuda_kernel(writer, &units.value[r]);
  }
  if (job->program->composed.steps) {
    gen_emit_openmp(writer, &units.composed);
    gen_emit_descriptor(writer, &units.composed);
    gen_emit_cuda_kernel(writer, &units.composed);
  }
  gen_emit_program_table(writer, job->program, units.kernel, units.value, &units.composed);
  return true;
}

bool gen_emit_program_cuda(const struct gen_program_job *job, struct gen_writer *writer)
{
  struct units units;
  if (!make_units(job, &units))
    return false;
  gen_emit_cuda_prelude(writer);
  for (int k = 0; k < job->program->kernels; k++)
    gen_emit_cuda_unit(writer, &units.kernel[k]);
  for (int r = 0; r < job->program->reductions; r++)
    gen_emit_cuda_unit(writer, &units.value[r]);
  return true;
}

bool gen_emit_standalone(const struct gen_program_job *job, const char *output, int level,
                         struct gen_writer *writer)
{
  const size_t length = strlen(output);
  const struct gen_standalone standalone = {.translation = job->translation,
                                            .path = job->path,
                                            .output = output,
                                            .cuda =
                                              length > 3 && strcmp(output + length - 3, ".cu") == 0,
                                            .level = level};
  return gen_write_standalone(&standalone, writer);
}

bool gen_emit_marked(const struct gen_program_job *job, const char *output, const char *backends,
                     struct gen_writer *writer)
{
  struct gen_writer program = {0};
  bool good = gen_emit_program_library(job, &program);
  const struct gen_standalone marked = {.translation = job->translation,
                                        .path = job->path,
                                        .output = output,
                                        .backends = backends,
                                        .program = program.text};
  good = good && gen_write_standalone(&marked, writer);
  gen_writer_clear(&program);
  return good;
}
