/* Loops over k and j of kernels without tables, in split rows: rows that lines along j do not tell
 * apart are visited in one run, so that what they have in common is worked out once; and where
 * lines along i hold the same in all cells, but for one at each end, their values are read once
 * instead of at every cell, except in the vectors at the ends. Either way each cell takes the same
 * values: the same bits. */
#include <string.h>

#include "emit.h"

/* Fewer values of lines along i than this per cell cost less than a second loop. */
enum { LEAST_LINES = 3 };

/* Whether a line is one of those by which a level finds rows and cells alike (gmg_uniform_runs of
 * solver/runtime): "h", "g", "fold_lo" or "fold_hi" of an axis. */
static bool is_known(const struct gen_array *line)
{
  static const char *const stem[] = {"h_", "g_", "fold_lo_", "fold_hi_"};
  const char *name = line->given ? line->given : line->name;
  for (size_t n = 0; n < sizeof stem / sizeof *stem; n++)
    if (strncmp(name, stem[n], strlen(stem[n])) == 0 && strlen(name) == strlen(stem[n]) + 1)
      return true;
  return false;
}

/* Whether the kernel reads lines along an axis, and a level tells their cells apart. */
static bool has_known_lines(const struct gen_kernel *kernel, enum gen_axis axis)
{
  int lines = 0;
  for (int n = 0; n < kernel->arrays; n++) {
    const struct gen_array *array = &kernel->array[n];
    if (array->rank != 1 || !array->read)
      continue;
    if (!is_known(array))
      return false;
    lines += array->axis == axis;
  }
  return lines > 0;
}

bool gen_in_runs(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].table)
      return false;
  return schedule->layout == GEN_SPLIT && schedule->rows == 0 && kernel->guard.kind != GEN_LATTICE
    && has_known_lines(kernel, GEN_J);
}

static void declare(const struct gen_emitter *emitter, enum gen_declared what,
                    struct gen_names *declared)
{
  struct gen_emitter some = *emitter;
  some.declares = what;
  gen_declare_statements(&some, declared);
}

/* Values of lines along i that a cell takes: the arrays, and the lines that were worked out. */
struct taken {
  int arrays, lines;
  int array[GEN_MAX_ARRAYS], line[GEN_MAX_LINES];
  int count; /* of values */
  const struct gen_expr *value[GEN_MAX_ARRAYS];
};

static void note(int *list, int *count, int number)
{
  for (int n = 0; n < *count; n++)
    if (list[n] == number)
      return;
  list[(*count)++] = number;
}

static void take(const struct gen_emitter *emitter, const struct gen_expr *expr,
                 struct taken *taken)
{
  const int line = gen_line_of(emitter->lines, expr);
  const struct gen_array *array =
    &emitter->kernel->array[expr->kind == GEN_ACCESS ? expr->access.array : 0];
  const bool along_i = expr->kind == GEN_ACCESS && array->rank == 1 && array->axis == GEN_I;
  if (line < 0 && !along_i) {
    for (int n = 0; n < gen_arity(expr); n++)
      take(emitter, expr->argument[n], taken);
    return;
  }
  if (line >= 0)
    note(taken->line, &taken->lines, line);
  else
    note(taken->array, &taken->arrays, expr->access.array);
  for (int n = 0; n < taken->count; n++)
    if (gen_expr_equal(taken->value[n], expr))
      return;
  if (taken->count < GEN_MAX_ARRAYS)
    taken->value[taken->count++] = expr;
}

/* What a kernel with one store and no sums takes; whether that is worth a loop of its own. */
static bool worth_a_loop(const struct gen_emitter *emitter, struct taken *taken)
{
  const struct gen_kernel *kernel = emitter->kernel;
  int stores = 0;
  *taken = (struct taken){.count = 0};
  for (int n = 0; n < kernel->statements; n++) {
    if (kernel->statement[n].kind != GEN_STORE && kernel->statement[n].kind != GEN_SET)
      return false;
    stores += kernel->statement[n].kind == GEN_STORE;
    take(emitter, kernel->statement[n].value, taken);
  }
  return stores == 1 && taken->count >= LEAST_LINES && gen_loop_extra(kernel, GEN_I) == 0;
}

/* The lines of a run, for both parities. */
static void emit_run_lines(struct gen_emitter *half)
{
  if (half->lines->count == 0)
    return;
  gen_line(half->writer, "for (int parity = 0; parity < 2; parity++) {");
  gen_emit_half(half, "odd", true, gen_lines_start(half, "next"));
  gen_emit_lines(half, gen_text("for (int at = 0; at < %s; at++) {", gen_count_text(half)));
  gen_line(half->writer, "}");
}

/* The cells around an end, as many as make whole vectors, from `first` on. */
static void emit_end(struct gen_emitter *half, const char *condition, const char *first)
{
  gen_line(half->writer,
           "if (%s) {\n"
           "#pragma omp simd\n"
           "for (int n = 0; n < GMG_END_CELLS; n++) {\n"
           "const int at = %s;",
           condition, first);
  gen_emit_statements(half);
  gen_line(half->writer,
           "}\n"
           "}");
}

/* The loop over cells that are all alike; another one for a field that is 0 everywhere, where that
 * leaves less to do. */
static void emit_alike(struct gen_emitter *uniform)
{
  static const char head[] = "for (int at = from; at < end; at++) {";
  struct gen_kernel kernel = *uniform->kernel;
  struct gen_schedule schedule = *uniform->schedule;
  struct gen_emitter less = *uniform;
  const int scalar = gen_zero_scalar(&kernel);
  bool differs = false;
  for (int n = 0; n < kernel.statements; n++) {
    struct gen_statement *statement = &kernel.statement[n];
    const struct gen_expr *value = statement->value;
    statement->value = gen_without(uniform, value, scalar);
    differs = differs || statement->value != value;
  }
  if (!differs) {
    gen_emit_loop(uniform, head);
    return;
  }
  schedule.kernel = &kernel;
  less.kernel = &kernel;
  less.schedule = &schedule;
  gen_line(uniform->writer, "if (%s == 0) {", kernel.scalar[scalar].name);
  gen_emit_loop(&less, head);
  gen_line(uniform->writer, "} else {");
  gen_emit_loop(uniform, head);
  gen_line(uniform->writer, "}");
}

/* Between the ends all cells alike, where there are enough of them. */
static void emit_uniform(struct gen_emitter *half)
{
  struct gen_emitter uniform = *half;
  uniform.uniform = true;
  gen_line(half->writer,
           "const int from = uniform ? gmg_uniform_from(uniform->cells, parity) : 0;\n"
           "const int end = uniform ? gmg_uniform_end(box, uniform->cells, parity, count) : 0;\n"
           "if (from < end) {");
  emit_end(half, "from > 0", "n");
  emit_alike(&uniform);
  emit_end(half, "end < count", "end + n");
  gen_line(half->writer, "} else {");
}

static void emit_row(struct gen_emitter *half, const char *start, const struct taken *taken)
{
  gen_line(half->writer, "%s", start ? "{" : "for (int parity = 0; parity < 2; parity++) {");
  if (start)
    gen_line(half->writer, "const int parity = %s;", start);
  gen_emit_statement_halves(half, false);
  gen_line(half->writer, "const int count = %s;", gen_count_text(half));
  if (taken)
    emit_uniform(half);
  gen_emit_loop(half, "for (int at = 0; at < count; at++) {");
  if (taken)
    gen_line(half->writer, "}");
  gen_line(half->writer, "}");
}

static void emit_middles(struct gen_emitter *half, const struct taken *taken, bool lines)
{
  const char *type = gen_real(half->schedule);
  for (int n = 0; n < taken->arrays && !lines; n++) {
    const char *name = half->kernel->array[taken->array[n]].name;
    gen_line(half->writer, "const %s %s_mid = %s[middle];", type, name, name);
  }
  for (int n = 0; n < taken->lines && lines; n++) {
    const int line = half->lines->first + taken->line[n];
    gen_line(half->writer, "const %s line%d_mid = line%d[middle];", type, line, line);
  }
}

void gen_emit_runs(struct gen_emitter *emitter)
{
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter half = *emitter;
  struct gen_names declared = {0};
  struct taken taken;
  half.halves = true;
  const bool worth = worth_a_loop(&half, &taken),
             coloured = emitter->kernel->guard.kind != GEN_EVERYWHERE;
  gen_line(writer,
           "const struct gmg_uniform_runs *const uniform = args->uniform_runs ? "
           "&args->uniform_runs[tile->box] : NULL;");
  if (worth)
    gen_line(writer, "const ptrdiff_t middle = gmg_at(box->cells[0] / 2, odd);");
  if (worth)
    emit_middles(&half, &taken, false);
  gen_line(writer, "for (int k = tile->k0; k < tile->k1; k++) {");
  declare(emitter, GEN_DECLARE_PLANE, &declared);
  gen_line(writer,
           "for (int first = tile->j0, last; first < tile->j1; first = last) {\n"
           "last = gmg_uniform_rows_end(uniform, first, tile->j1);");
  declare(emitter, GEN_DECLARE_RUN, &declared);
  gen_declare_run_lines(emitter);
  emit_run_lines(&half);
  if (worth)
    emit_middles(&half, &taken, true);
  gen_line(writer,
           "for (int j = first; j < last; j++) {\n"
           "gmg_fetch(tile->ahead);");
  declare(emitter, GEN_DECLARE_ROW, &declared);
  if (coloured)
    gen_emit_start(emitter);
  emit_row(&half, coloured ? "start" : NULL, worth ? &taken : NULL);
  for (int n = 0; n < 3; n++)
    gen_line(writer, "}");
}
