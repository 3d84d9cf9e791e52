/* Restriction of a residual with its norm: the norm and the coarse value are made of the same
 * residuals, of the cells that a coarse one covers. Each is worked out once, all of them before the
 * first division of the norm, and kept. */
#include "emit/emit.h"

static bool contains(const struct gen_expr *expr, const struct gen_expr *part)
{
  if (gen_expr_equal(expr, part))
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (contains(expr->argument[n], part))
      return true;
  return false;
}

/* The largest part of a norm that reads fields and is in the row's value as well. */
static const struct gen_expr *common_part(const struct gen_kernel *kernel,
                                          const struct gen_expr *norm, const struct gen_expr *value)
{
  if (gen_cuda_reads_field(kernel, norm, NULL) && contains(value, norm))
    return norm;
  for (int n = 0; n < gen_arity(norm); n++) {
    const struct gen_expr *part = common_part(kernel, norm->argument[n], value);
    if (part)
      return part;
  }
  return NULL;
}

static bool find_parts(const struct gen_schedule *schedule, struct gen_parts *parts)
{
  static const char *const name[] = {"0, i)", "1, i)", "2, i)", "3, i)"};
  for (int r = 0; r < schedule->rows; r++)
    for (int n = 0; n < schedule->row[r].norms; n++) {
      const struct gen_expr *part =
        common_part(schedule->kernel, schedule->row[r].norm[n], schedule->row[r].value);
      if (!part || parts->count == (int)(sizeof name / sizeof *name))
        return false;
      parts->value[parts->count] = part;
      parts->name[parts->count] = name[parts->count];
      parts->count++;
    }
  for (int r = 0; r < schedule->rows; r++)
    if (gen_cuda_reads_field(schedule->kernel, schedule->row[r].value, parts))
      return false;
  return parts->count > 0;
}

bool gen_cuda_kept(const struct gen_schedule *schedule, struct gen_parts *parts)
{
  struct gen_parts found = {.prefix = "kept("};
  if (!find_parts(schedule, &found))
    return false;
  *parts = found;
  return true;
}

void gen_emit_cuda_kept(struct gen_emitter *emitter, const struct gen_parts *parts)
{
  struct gen_writer *writer = emitter->writer;
  const char *type = gen_real(emitter->schedule);
  gen_line(writer, "const auto work_out = [&](int i, %s *to) {", type);
  for (int n = 0; n < parts->count; n++)
    gen_line(writer, "to[%d] = %s;", n, gen_emit_expr(emitter, parts->value[n]));
  gen_line(writer,
           "};\n"
           "%s value_at[2][%d]; /* at the two children along i, the first of which is */\n"
           "int first_child = 0;\n"
           "const auto kept = [&](int n, int i) -> %s { return i == first_child ? value_at[0][n] : "
           "value_at[1][n]; };",
           type, parts->count, type);
}
