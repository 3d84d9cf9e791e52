/* What a cell takes of its two children along i, or of the cells over it: in CUDA a row buffer is a
 * function, and a table says where along i it is wanted. */
#include "emit/emit.h"

/* The table along i that keeps the rule; -1: there is none. */
static int table_like(const struct gen_kernel *kernel, enum gen_table_rule rule)
{
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].table && kernel->array[n].axis == GEN_I && kernel->array[n].rule == rule)
      return n;
  return -1;
}

/* What a table holds where cells pair two by two; NULL: nothing in particular. */
static const char *known_value(const struct gen_emitter *emitter, enum gen_table_rule rule)
{
  switch (rule) {
  case GEN_EVEN_CHILD: /* of i itself: nothing more complicated is known to be even */
    return "2 * i";
  case GEN_ODD_CHILD:
    return "2 * i + 1";
  case GEN_PARENT:
    return emitter->halves ? "at" : "i / 2";
  case GEN_BESIDE:
    return emitter->halves ? "at + 2 * parity - 1" : "i / 2 + i % 2 * 2 - 1";
  default:
    return NULL;
  }
}

const char *gen_cuda_child(struct gen_emitter *emitter, int table)
{
  struct gen_access access = {.array = table};
  for (int a = 0; a < GEN_AXES; a++)
    access.subscript[a].table = -1;
  access.subscript[GEN_I].affine.constant =
    emitter->kernel->array[table].first - emitter->kernel->loop[GEN_I].lower.constant;
  access.subscript[GEN_I].affine.coefficient[GEN_I] = 1;
  const char *value = gen_emit_access(emitter, &access);
  const char *known = known_value(emitter, emitter->kernel->array[table].rule);
  if (known && emitter->lanes)
    known = gen_text("%s + (child & 1)", known);
  if (known && gen_cuda_knows_paired(emitter->schedule))
    value = gen_text("paired ? %s : %s", known, value);
  return value;
}

/* The same as a constant. after: known no earlier than a first maximum is. */
static void emit_child(struct gen_emitter *emitter, int table, bool after)
{
  const char *name = emitter->kernel->array[table].name, *value = gen_cuda_child(emitter, table);
  gen_line(emitter->writer,
           after ? "const int %s_at = gmg_after(%s, (double)most_of);" : "const int %s_at = %s;",
           name, value);
}

/* Marks the functions of which an expression picks values, and the tables along i by which it does.
 */
static void find_children(const struct gen_schedule *schedule, const struct gen_expr *expr,
                          bool used[GEN_MAX_ARRAYS])
{
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array))
    used[expr->access.array] = true;
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array)
      && expr->access.subscript[GEN_I].table >= 0)
    used[expr->access.subscript[GEN_I].table] = true;
  for (int n = 0; n < gen_arity(expr); n++)
    find_children(schedule, expr->argument[n], used);
}

static void find_all_children(const struct gen_schedule *schedule, bool used[GEN_MAX_ARRAYS])
{
  for (int n = 0; n < schedule->kernel->statements; n++)
    if (schedule->kernel->statement[n].kind != GEN_NORM)
      find_children(schedule, schedule->kernel->statement[n].value, used);
}

bool gen_cuda_shares(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const int lo = table_like(kernel, GEN_EVEN_CHILD), hi = table_like(kernel, GEN_ODD_CHILD);
  bool used[GEN_MAX_ARRAYS] = {false};
  find_all_children(schedule, used);
  for (int n = 0; n < GEN_MAX_ARRAYS && n < kernel->arrays; n++)
    if (used[n] && kernel->array[n].table && n != lo && n != hi)
      return false;
  return lo >= 0 && hi >= 0 && used[lo] && used[hi] && kernel->guard.kind == GEN_EVERYWHERE;
}

void gen_cuda_children(const struct gen_schedule *schedule, int table[2])
{
  table[0] = table_like(schedule->kernel, GEN_EVEN_CHILD);
  table[1] = table_like(schedule->kernel, GEN_ODD_CHILD);
}

static void emit_norms_at(struct gen_emitter *emitter, const char *child)
{
  for (int n = 0; n < emitter->schedule->rows; n++)
    if (emitter->schedule->row[n].norms)
      gen_line(emitter->writer, "norms%d(%s_at);", n, child);
}

/* Each of the two threads of a cell takes one child: its norms, and the values of functions there,
 * which the first thread, that of the even child, then has both. */
static void emit_shared(struct gen_emitter *emitter, const bool used[GEN_MAX_ARRAYS], bool norms)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  const int lo = table_like(kernel, GEN_EVEN_CHILD), hi = table_like(kernel, GEN_ODD_CHILD);
  const char *first = kernel->array[lo].name, *second = kernel->array[hi].name;
  emit_child(emitter, lo, false);
  emit_child(emitter, hi, false);
  gen_line(emitter->writer, "const int child = odd_child ? %s_at : %s_at;", second, first);
  if (norms) {
    gen_line(emitter->writer, "if (inside && (!odd_child || %s_at != %s_at)) {", second, first);
    for (int n = 0; n < schedule->rows; n++)
      if (schedule->row[n].norms)
        gen_line(emitter->writer, "norms%d(child);", n);
    gen_line(emitter->writer, "}");
  }
  for (int n = 0; n < schedule->rows; n++) {
    const char *name = kernel->array[schedule->row[n].array].name;
    if (!used[schedule->row[n].array])
      continue;
    gen_line(emitter->writer,
             "const %s %s_%s = %s(child), %s_%s = __shfl_down_sync(0xffffffffu, %s_%s, 1);",
             gen_real(schedule), name, first, name, name, second, name, first);
  }
  gen_line(emitter->writer,
           "if (odd_child || !inside)\n"
           "return;");
}

/* Norms over a finer row: every cell of it is the first or the second child of one own cell. The
 * second is known when the first is done with: both at once would need too many registers. */
static void emit_norms(struct gen_emitter *emitter, bool used[GEN_MAX_ARRAYS])
{
  const struct gen_kernel *kernel = emitter->kernel;
  const int lo = table_like(kernel, GEN_EVEN_CHILD), hi = table_like(kernel, GEN_ODD_CHILD);
  struct gen_parts parts;
  const bool keeps = gen_cuda_kept(emitter->schedule, &parts);
  emit_child(emitter, lo, false);
  if (keeps) {
    emit_child(emitter, hi, false);
    gen_line(emitter->writer,
             "first_child = %s_at;\n"
             "work_out(%s_at, value_at[0]);\n"
             "work_out(%s_at, value_at[1]);",
             kernel->array[lo].name, kernel->array[lo].name, kernel->array[hi].name);
  }
  emit_norms_at(emitter, kernel->array[lo].name);
  if (!keeps)
    emit_child(emitter, hi, true);
  gen_line(emitter->writer, "if (%s_at != %s_at) {", kernel->array[hi].name,
           kernel->array[lo].name);
  emit_norms_at(emitter, kernel->array[hi].name);
  gen_line(emitter->writer, "}");
  used[lo] = used[hi] = false;
}

void gen_emit_cuda_cell_statements(struct gen_emitter *emitter)
{
  const struct gen_schedule *schedule = emitter->schedule;
  bool used[GEN_MAX_ARRAYS] = {false}, norms = false;
  if (emitter->lanes) {
    gen_emit_cuda_sum(emitter);
    return;
  }
  for (int n = 0; n < schedule->rows; n++)
    norms = norms || schedule->row[n].norms;
  find_all_children(schedule, used);
  if (emitter->shared)
    emit_shared(emitter, used, norms);
  else if (norms)
    emit_norms(emitter, used);
  for (int n = 0; n < schedule->kernel->arrays && !emitter->shared; n++)
    if (used[n] && schedule->kernel->array[n].table)
      emit_child(emitter, n, false);
  gen_emit_statements(emitter);
}
