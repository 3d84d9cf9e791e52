#include "units.h"

#include <string.h>

#include "ir/canonical.h"
#include "explain/explain.h"

const char *const gen_form_suffix[GEN_FORMS] = {"f64", "f32", "f64_split", "f32_split"};

/* Is the name in a list separated by commas? */
static bool listed(const char *list, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
    if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
      return true;
  return false;
}

/* The schedule in one precision, with the fields that are asked for in float. */
static const struct gen_schedule *schedule_in(const struct gen_job *job,
                                              const struct gen_kernel *kernel,
                                              enum gen_layout layout, enum gen_type precision)
{
  struct gen_schedule *schedule = gen_schedule(kernel, layout, precision);
  for (int n = 0; n < schedule->kernel->arrays; n++)
    if (job->single && listed(job->single, schedule->kernel->array[n].name))
      schedule->field_precision[n] = GEN_FLOAT;
  gen_prefix_names(schedule);
  return schedule;
}

/* Returns how many forms there are. */
static int fill(const struct gen_job *job, const struct gen_file *file,
                const struct gen_kernel *kernel, enum gen_role role, const char *variant,
                const char *comment, struct gen_unit *unit)
{
  static const enum gen_layout layout[GEN_FORMS] = {GEN_PLAIN, GEN_PLAIN, GEN_SPLIT, GEN_SPLIT};
  static const enum gen_type precision[GEN_FORMS] = {GEN_DOUBLE, GEN_FLOAT, GEN_DOUBLE, GEN_FLOAT};
  const char *base = *variant ? gen_text("%s_%s", kernel->name, variant) : kernel->name;
  int count = 0;
  for (int n = 0; n < GEN_FORMS; n++) {
    if (!gen_is_emitted(role, precision[n]))
      continue;
    const struct gen_work work = {.symbol = gen_text("%s_%s", base, gen_form_suffix[n]),
                                  .role = role,
                                  .flops = gen_flops(kernel),
                                  .reals = gen_bytes(kernel, 1.0)};
    const struct gen_schedule *schedule = schedule_in(job, kernel, layout[n], precision[n]);
    unit[count++] = (struct gen_unit){.schedule = schedule,
                                      .role = role,
                                      .variant = variant,
                                      .source = file->path,
                                      .source_hash = file->hash,
                                      .comment = comment,
                                      .flops = work.flops,
                                      .reals = work.reals,
                                      .symbol = work.symbol,
                                      .cuda = gen_schedule_cuda(schedule, &work)};
  }
  return count;
}

int gen_units(const struct gen_job *job, const struct gen_file *file, int n,
              struct gen_unit **units)
{
  const struct gen_operator *op = file->operator_[n];
  int count = 0;
  *units = gen_allocate((size_t)(op ? op->count : 1) * GEN_FORMS * sizeof **units);
  for (int d = 0; op && d < op->count; d++)
    count += fill(job, file, op->derived[d].kernel, op->derived[d].role, op->derived[d].variant,
                  gen_role_comment(op->derived[d].role), *units + count);
  if (op)
    return count;
  struct gen_kernel *kernel = gen_clone(file->kernel[n], file->kernel[n]->name);
  gen_canonical(kernel);
  gen_mark_accesses(kernel);
  return fill(job, file, kernel, GEN_ROLE_AS_WRITTEN, "",
              *kernel->comment ? kernel->comment : kernel->name, *units);
}
