/* Kernels whose value is made of the same formula at the eight finer cells that a cell covers, as
 * the restriction of a residual is. Where there are more threads than all those cells, eight
 * threads of a warp work it out, one finer cell each, and the first puts the values together, in
 * the order of the kernel as it is written. With fewer, two threads share a cell: eight would need
 * more rows of a warp than the cache holds. */
#include "emit/emit.h"

bool gen_cuda_tables(const struct gen_expr *expr, enum gen_axis axis, int table[2])
{
  const int t = expr->kind == GEN_ACCESS ? expr->access.subscript[axis].table : -1;
  if (t >= 0 && table[0] < 0)
    table[0] = t;
  else if (t >= 0 && t != table[0] && table[1] < 0)
    table[1] = t;
  else if (t >= 0 && t != table[0] && t != table[1])
    return false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!gen_cuda_tables(expr->argument[n], axis, table))
      return false;
  return true;
}

/* The same access with the first table of each axis instead of the second. */
static struct gen_access with_first(const struct gen_lanes *lanes, const struct gen_access *access)
{
  struct gen_access same = *access;
  for (enum gen_axis axis = GEN_J; axis <= GEN_K; axis++)
    if (same.subscript[axis].table >= 0)
      same.subscript[axis].table = lanes->table[axis][0];
  return same;
}

/* Whether two expressions differ at most in which of an axis' tables they use. */
static bool alike(const struct gen_lanes *lanes, const struct gen_expr *a, const struct gen_expr *b)
{
  if (a->kind != b->kind)
    return false;
  if (a->kind == GEN_ACCESS) {
    const struct gen_access left = with_first(lanes, &a->access),
                            right = with_first(lanes, &b->access);
    return gen_access_equal(&left, &right);
  }
  if (gen_arity(a) == 0)
    return gen_expr_equal(a, b);
  for (int n = 0; n < gen_arity(a); n++)
    if (!alike(lanes, a->argument[n], b->argument[n]))
      return false;
  return true;
}

/* Which of the two tables along an axis all of the expression uses: 0, 1; -1: both, or none. */
static int side(const struct gen_lanes *lanes, const struct gen_expr *expr, enum gen_axis axis)
{
  int used[2] = {-1, -1};
  if (!gen_cuda_tables(expr, axis, used) || used[0] < 0 || used[1] >= 0)
    return -1;
  return used[0] == lanes->table[axis][1];
}

/* Whether an expression uses the tables of a finer row or column, or reads a field, outside of the
 * parts. */
static bool reads_more(const struct gen_lanes *lanes, const struct gen_schedule *schedule,
                       const struct gen_expr *expr)
{
  if (gen_part_of(&lanes->parts, expr))
    return false;
  if (expr->kind == GEN_ACCESS)
    return expr->access.subscript[GEN_J].table >= 0 || expr->access.subscript[GEN_K].table >= 0
      || gen_cuda_reads_field(schedule->kernel, expr, NULL);
  for (int n = 0; n < gen_arity(expr); n++)
    if (reads_more(lanes, schedule, expr->argument[n]))
      return true;
  return false;
}

/* Adds the largest parts of an expression that are like the formula. false: one is at no single
 * cell, or there are too many. The values of the threads are by their number, whose bits are k, j,
 * i; that of i is the argument of the row's function. */
static bool take_parts(struct gen_lanes *lanes, const struct gen_expr *expr,
                       const struct gen_expr *formula)
{
  static const char *const name[2][2] = {{"i]", "2 + i]"}, {"4 + i]", "6 + i]"}};
  if (alike(lanes, expr, formula)) {
    const int j = side(lanes, expr, GEN_J), k = side(lanes, expr, GEN_K);
    if (j < 0 || k < 0 || lanes->parts.count == 4)
      return false;
    if (!j && !k)
      lanes->formula = expr;
    lanes->parts.name[lanes->parts.count] = name[k][j];
    lanes->parts.value[lanes->parts.count++] = expr;
    return true;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!take_parts(lanes, expr->argument[n], formula))
      return false;
  return true;
}

/* Whether the values are made of four parts like it, and of numbers. */
static bool does(struct gen_lanes *lanes, const struct gen_schedule *schedule,
                 const struct gen_expr *formula)
{
  lanes->parts = (struct gen_parts){.prefix = "value_at["};
  lanes->formula = NULL;
  for (int r = 0; r < schedule->rows; r++)
    if (!take_parts(lanes, schedule->row[r].value, formula)
        || reads_more(lanes, schedule, schedule->row[r].value))
      return false;
  return lanes->parts.count == 4 && lanes->formula;
}

/* The largest part of a row's value that does for all of them. */
static bool find_formula(struct gen_lanes *lanes, const struct gen_schedule *schedule,
                         const struct gen_expr *expr)
{
  if (gen_cuda_reads_field(schedule->kernel, expr, NULL) && does(lanes, schedule, expr))
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (find_formula(lanes, schedule, expr->argument[n]))
      return true;
  return false;
}

bool gen_cuda_lanes(const struct gen_schedule *schedule, struct gen_lanes *lanes)
{
  *lanes = (struct gen_lanes){.table = {{-1, -1}, {-1, -1}, {-1, -1}}};
  if (!gen_cuda_shares(schedule) || schedule->kernel->statements != 1
      || schedule->kernel->statement[0].kind != GEN_STORE)
    return false;
  for (int r = 0; r < schedule->rows; r++)
    if (schedule->row[r].norms || schedule->row[r].level != GEN_FINER
        || !gen_cuda_tables(schedule->row[r].value, GEN_J, lanes->table[GEN_J])
        || !gen_cuda_tables(schedule->row[r].value, GEN_K, lanes->table[GEN_K]))
      return false;
  gen_cuda_children(schedule, lanes->table[GEN_I]);
  return lanes->table[GEN_J][1] >= 0 && lanes->table[GEN_K][1] >= 0
    && find_formula(lanes, schedule, schedule->row[0].value);
}

int gen_cuda_threads(const struct gen_schedule *schedule)
{
  struct gen_lanes lanes;
  return gen_cuda_lanes(schedule, &lanes) ? 8 : gen_cuda_shares(schedule) ? 2 : 1;
}

const char *gen_cuda_lane_field(const struct gen_lanes *lanes, const int *array, int count, int n)
{
  for (enum gen_axis axis = GEN_I; lanes && axis <= GEN_K; axis++) {
    if (array[n] == lanes->table[axis][1])
      return NULL;
    for (int m = 0; m < count && array[n] == lanes->table[axis][0]; m++)
      if (array[m] == lanes->table[axis][1])
        return gen_text("child & %d ? %d : %d", 1 << axis, m, n);
  }
  return gen_text("%d", n);
}

/* SYMBOL_part: the formula at one of the finer cells. */
static void emit_formula(struct gen_emitter *emitter)
{
  const struct gen_lanes *lanes = emitter->lanes;
  const struct gen_schedule *schedule = emitter->schedule;
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter inside = *emitter, place = *emitter;
  struct gen_names declared = {0};
  const char *type = gen_real(schedule);
  inside.row = &schedule->row[0];
  gen_line(writer,
           "/* What the value is made of, at one finer cell: bits of `child` are i, j, k. */");
  gen_open_cuda(emitter, type, "part",
                gen_cuda_knows_paired(schedule) ? "int i, int j, int k, bool paired, int child"
                                                : "int i, int j, int k, int child");
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_declare_rows(&inside, lanes->formula, &declared);
  gen_line(writer, "const auto formula = [&](int i) -> %s { return %s; };", type,
           gen_emit_expr(&inside, lanes->formula));
  if (schedule->layout == GEN_SPLIT) {
    place.halves = true;
    gen_line(writer, "const int at = i / 2, parity = i %% 2;");
    gen_emit_half(&place, "odd", true, false);
  }
  gen_line(writer,
           "return formula(%s);\n"
           "}\n"
           "\n",
           gen_cuda_child(&place, lanes->table[GEN_I][0]));
}

void gen_emit_cuda_lanes(struct gen_emitter *emitter)
{
  struct gen_emitter by_eight = *emitter;
  by_eight.shared = false;
  emit_formula(&by_eight);
  gen_emit_cuda_cell(&by_eight);
}

void gen_emit_cuda_hand_over(struct gen_emitter *emitter)
{
  gen_line(emitter->writer,
           "%s value_at[8] = {part}; /* by thread */\n"
           "#pragma unroll\n"
           "for (int n = 1; n < 8; n++)\n"
           "value_at[n] = __shfl_down_sync(0xffffffffu, part, n);",
           gen_real(emitter->schedule));
}

void gen_emit_cuda_sum(struct gen_emitter *emitter)
{
  struct gen_emitter to_name = *emitter;
  to_name.store_to = gen_text("const %s sum", gen_real(emitter->schedule));
  gen_line(emitter->writer, "const int %s_at = 0, %s_at = 1;",
           emitter->kernel->array[emitter->lanes->table[GEN_I][0]].name,
           emitter->kernel->array[emitter->lanes->table[GEN_I][1]].name);
  gen_emit_statements(&to_name);
  gen_line(emitter->writer,
           "if (child == 0 && inside)\n"
           "%s = sum;",
           gen_emit_target(emitter, &emitter->kernel->statement[0].target));
}
