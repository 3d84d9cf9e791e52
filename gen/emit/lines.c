/* Values that change along a row only through lines (h_i[i], and what j and k fix) are worked out
 * once for all rows that have them in common: on a uniform grid, away from walls, for a whole tile.
 * They hold what the cell's own text would: the same bits. */
#include "emit.h"

/* Fewer operations than this along a row cost no more than to read their result. */
enum { LEAST_OPERATIONS = 2 };

/* Numbers in GMG_KNOWN_BYTES. */
enum { MOST_KNOWN = 128 };

/* Whether a value is made of lines and scalars only, those along i of that level; whether it
 * changes along i, and by how many operations. */
static bool is_of_lines(const struct gen_schedule *schedule, const struct gen_expr *expr,
                        enum gen_level level, bool *changes, int *operations)
{
  if (expr->kind == GEN_NUMBER)
    return true;
  if (expr->kind == GEN_SCALAR)
    return schedule->kernel->scalar[expr->scalar].role == GEN_PARAMETER;
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &schedule->kernel->array[expr->access.array];
    const struct gen_subscript *subscript = &expr->access.subscript[GEN_I];
    if (array->rank != 1 || array->table || gen_is_row(schedule, expr->access.array))
      return false;
    if (array->axis != GEN_I)
      return true;
    *changes = true;
    return array->level == level && subscript->table < 0
      && subscript->affine.coefficient[GEN_I] == 1;
  }
  bool any = false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!is_of_lines(schedule, expr->argument[n], level, &any, operations))
      return false;
  *operations += any;
  *changes = *changes || any;
  return true;
}

static void note_keys(const struct gen_kernel *kernel, const struct gen_expr *expr,
                      struct gen_lines *lines)
{
  for (int n = 0; n < gen_arity(expr); n++)
    note_keys(kernel, expr->argument[n], lines);
  if (expr->kind != GEN_ACCESS || kernel->array[expr->access.array].axis == GEN_I)
    return;
  for (int n = 0; n < lines->keys; n++)
    if (gen_expr_equal(lines->key[n], expr))
      return;
  lines->key[lines->keys++] = expr;
}

static int count_accesses(const struct gen_expr *expr)
{
  int count = expr->kind == GEN_ACCESS;
  for (int n = 0; n < gen_arity(expr); n++)
    count += count_accesses(expr->argument[n]);
  return count;
}

static void find(const struct gen_schedule *schedule, const struct gen_expr *expr,
                 enum gen_level level, struct gen_lines *lines)
{
  bool changes = false;
  int operations = 0;
  if (gen_line_of(lines, expr) >= 0)
    return;
  if (!is_of_lines(schedule, expr, level, &changes, &operations)) {
    for (int n = 0; n < gen_arity(expr); n++)
      find(schedule, expr->argument[n], level, lines);
  } else if (operations >= LEAST_OPERATIONS && lines->count < GEN_MAX_LINES
             && lines->keys + count_accesses(expr) <= GEN_MAX_LINE_KEYS) {
    lines->value[lines->count++] = expr;
    note_keys(schedule->kernel, expr, lines);
  }
}

/* How many numbers along j and k say what lines are made of. */
static int key_count(const struct gen_lines *lines)
{
  return lines->keys ? lines->keys : 1;
}

/* Room for one set of them, or where rows are split one by parity, after those that there are; of a
 * loop over runs of rows, twice: for the runs of a row or two that walls make, and for the others,
 * which lie between them. */
static void place(const struct gen_schedule *schedule, struct gen_line_sets *sets,
                  struct gen_lines *lines)
{
  const int slots = gen_in_runs(schedule) ? 2 : 1;
  const int numbers = slots * (schedule->layout == GEN_SPLIT ? 2 : 1) * key_count(lines);
  if (lines->count == 0 || sets->known + numbers > MOST_KNOWN) {
    lines->count = 0;
    return;
  }
  lines->known = sets->known;
  sets->known += numbers;
}

static int parameters(const struct gen_kernel *kernel)
{
  int count = 0;
  for (int n = 0; n < kernel->scalars; n++)
    count += kernel->scalar[n].role == GEN_PARAMETER;
  return count;
}

void gen_find_lines(const struct gen_schedule *schedule, struct gen_line_sets *sets)
{
  const struct gen_kernel *kernel = schedule->kernel;
  sets->known = 1 + parameters(kernel);
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind != GEN_NORM)
      find(schedule, kernel->statement[n].value, GEN_OWN, &sets->own);
  place(schedule, sets, &sets->own);
  for (int n = 0; n < schedule->rows; n++) {
    const struct gen_row *row = &schedule->row[n];
    struct gen_lines *lines = &sets->row[n];
    lines->first = sets->own.count + sets->others;
    for (int m = 0; m < row->norms && row->level == GEN_FINER; m++)
      find(schedule, row->norm[m], row->level, lines);
    if (row->level == GEN_FINER && row->halo == 0)
      find(schedule, row->value, row->level, lines);
    place(schedule, sets, lines);
    sets->others += lines->count;
  }
}

int gen_line_of(const struct gen_lines *lines, const struct gen_expr *expr)
{
  for (int n = 0; lines && n < lines->count; n++)
    if (gen_expr_equal(lines->value[n], expr))
      return n;
  return -1;
}

/* What all lines are made of, first: the box, and the scalars. Where these are others, nothing is
 * known. */
static void emit_known(struct gen_emitter *emitter, const struct gen_line_sets *sets)
{
  struct gen_argument argument[GEN_MAX_SCALARS];
  const char *list = "tile->box";
  const int scalars = gen_arguments(emitter->schedule, argument);
  int count = 1;
  for (int n = 0; n < scalars; n++)
    if (!argument[n].colour) {
      list = gen_listed(list, argument[n].name);
      count++;
    }
  gen_line(emitter->writer,
           "double *const known = (double *)((char *)args->scratch + (size_t)thread * "
           "args->scratch_stride);\n"
           "if (gmg_changes(known, (const double[]){%s}, %d))\n"
           "memset(known + %d, 0xff, %d * sizeof *known);",
           list, count, count, sets->known - count);
}

void gen_declare_lines(struct gen_emitter *emitter, const struct gen_line_sets *sets)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const char *type = gen_real(schedule);
  const int own = gen_own_lines(schedule, sets);
  const char *behind = own ? gen_text("%d * box->stride[0] + ", own) : "";
  if (own + sets->others > 0)
    emit_known(emitter, sets);
  for (int n = 0; n < own && !gen_in_runs(schedule); n++)
    gen_line(emitter->writer, "%s *const line%d = scratch + %d * box->stride[0];", type, n, n);
  for (int n = 0; n < sets->others; n++)
    gen_line(emitter->writer,
             "%s *const line%d = scratch + %s%d * (size_t)((box->other_cells[0] + 63) / 16 * 16);",
             type, own + n, behind, schedule->rows + n);
}

int gen_own_lines(const struct gen_schedule *schedule, const struct gen_line_sets *sets)
{
  return (gen_in_runs(schedule) ? 2 : 1) * sets->own.count;
}

void gen_declare_run_lines(struct gen_emitter *emitter)
{
  const int count = emitter->lines->count;
  if (count == 0)
    return;
  gen_line(emitter->writer, "const int slot = uniform && uniform->rows[first] - first > 2;");
  for (int n = 0; n < count; n++)
    gen_line(emitter->writer, "%s *const line%d = scratch + (%d * slot + %d) * box->stride[0];",
             gen_real(emitter->schedule), n, count, n);
}

void gen_emit_lines(struct gen_emitter *emitter, const char *head)
{
  const struct gen_lines *lines = emitter->lines;
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter whole = *emitter;
  whole.lines = NULL;
  if (lines->count == 0)
    return;
  const char *key = lines->keys ? "" : "0";
  for (int n = 0; n < lines->keys; n++)
    key = gen_listed(key, gen_emit_expr(&whole, lines->key[n]));
  const char *parity = emitter->halves ? gen_text(" + %d * parity", key_count(lines)) : "";
  const char *slot =
    gen_in_runs(emitter->schedule) ? gen_text(" + %d * slot", 2 * key_count(lines)) : "";
  const char *set = gen_text(" + %d%s%s", lines->known, slot, parity);
  gen_line(writer,
           "if (gmg_changes(known%s, (const double[]){%s}, %d)) {\n"
           "#pragma omp simd\n"
           "%s",
           set, key, key_count(lines), head);
  for (int n = 0; n < lines->count; n++)
    gen_line(writer, "%s = %s;", gen_line_text(emitter, n), gen_emit_expr(&whole, lines->value[n]));
  gen_line(writer,
           "}\n"
           "}");
}

bool gen_lines_start(const struct gen_emitter *emitter, const char *start)
{
  struct gen_emitter whole = *emitter;
  whole.lines = NULL;
  for (int n = 0; n < emitter->lines->count; n++)
    if (gen_starts(&whole, emitter->lines->value[n], start))
      return true;
  return false;
}

const char *gen_line_text(const struct gen_emitter *emitter, int line)
{
  if (emitter->uniform)
    return gen_text("line%d_mid", emitter->lines->first + line);
  return gen_text("line%d[%s]", emitter->lines->first + line,
                  !emitter->halves ? "i"
                    : emitter->row ? "to + at"
                                   : "same + at");
}
