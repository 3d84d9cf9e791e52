/* Interpolation by threads that march along k through the fine planes. What is read in a coarse
 * plane is kept in registers; so each value is read, and combined along j, once and not for every
 * fine plane. Where tables say something else than is expected, SYMBOL_cell does it. */
#include "cuda_choices.h"

/* Whether the kernel stores one value, which it picks from the row buffer of one coarse value. */
static bool interpolates(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  return gen_cuda_in_pairs(schedule) && schedule->rows == 1 && schedule->row[0].level == GEN_COARSER
    && !schedule->row[0].parts && !schedule->row[0].norms && kernel->statements == 1
    && kernel->statement[0].kind == GEN_STORE;
}

/* Returns an expression that reads in the plane k what this one reads in the plane of a table. */
static const struct gen_expr *at_k(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  struct gen_expr *copy = gen_copy(expr);
  if (expr->kind == GEN_ACCESS && kernel->array[expr->access.array].rank > 1) {
    struct gen_subscript *k = &copy->access.subscript[GEN_K];
    *k = (struct gen_subscript){.table = -1};
    k->affine.coefficient[GEN_K] = 1;
    k->affine.constant =
      kernel->array[expr->access.array].first - kernel->loop[GEN_K].lower.constant;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = at_k(kernel, expr->argument[n]);
  return copy;
}

/* ---- between planes: a plane, the one below and the one above, of each three values along i ----
 */

/* Whether all that the expression reads is in the plane that the table names, and something is. */
static bool in_plane(const struct gen_kernel *kernel, const struct gen_expr *expr, int table,
                     bool *reads)
{
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    if (array->rank == 1)
      return array->axis == GEN_J;
    *reads = true;
    return expr->access.subscript[GEN_K].table == table && expr->access.subscript[GEN_K].offset == 0
      && expr->access.subscript[GEN_I].table < 0;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!in_plane(kernel, expr->argument[n], table, reads))
      return false;
  return true;
}

/* The largest parts that are in one of the two planes: "here", "beside". false: there is more than
 * one of a plane. */
static bool find_two(const struct gen_kernel *kernel, const struct gen_expr *expr,
                     const int table[2], struct gen_parts *parts)
{
  for (int t = 0; t < 2; t++) {
    bool reads = false;
    if (!in_plane(kernel, expr, table[t], &reads) || !reads)
      continue;
    if (parts->value[t])
      return false;
    parts->value[t] = expr;
    return true;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!find_two(kernel, expr->argument[n], table, parts))
      return false;
  return true;
}

/* Whether the row is picked by tables along i that hold the parent and the cell beside it. */
static bool picked_between(const struct gen_schedule *schedule, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array)) {
    const int table = expr->access.subscript[GEN_I].table;
    if (table < 0)
      return false;
    const enum gen_table_rule rule = schedule->kernel->array[table].rule;
    return rule == GEN_PARENT || rule == GEN_BESIDE;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!picked_between(schedule, expr->argument[n]))
      return false;
  return true;
}

/* Accesses to the own level's fields, without repetition. */
static void find_own(const struct gen_schedule *schedule, const struct gen_expr *expr,
                     struct gen_parts *own)
{
  if (expr->kind == GEN_ACCESS && schedule->kernel->array[expr->access.array].rank > 1
      && schedule->kernel->array[expr->access.array].level == GEN_OWN && !gen_part_of(own, expr))
    gen_add_part(own, expr, "own[parity]");
  for (int n = 0; n < gen_arity(expr); n++)
    find_own(schedule, expr->argument[n], own);
}

/* What tables along i hold, at the cell `at` over a pair and at those on both sides. */
static void find_tables(const struct gen_kernel *kernel, struct gen_cuda_stage *pair)
{
  for (int n = 0; n < kernel->arrays; n++)
    if ((kernel->array[n].rule == GEN_PARENT || kernel->array[n].rule == GEN_BESIDE)
        && pair->tables < (int)(sizeof pair->table / sizeof *pair->table)) {
      pair->table[pair->tables].array = n;
      pair->table[pair->tables++].holds =
        kernel->array[n].rule == GEN_PARENT ? "at" : "at + 2 * parity - 1";
    }
}

bool gen_choose_between(const struct gen_schedule *schedule, struct gen_cuda_form *form)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const char *type = gen_real(schedule);
  struct gen_parts planes = {.count = 2,
                             .prefix = "",
                             .name = {"here[i - at + 1]", "beside[i - at + 1]"}},
                   own = {.prefix = ""};
  int table[2] = {-1, -1};
  if (!interpolates(schedule) || !picked_between(schedule, kernel->statement[0].value)
      || !gen_cuda_tables(schedule->row[0].value, GEN_K, table) || table[1] < 0
      || !find_two(kernel, schedule->row[0].value, table, &planes) || !planes.value[0]
      || !planes.value[1])
    return false;
  find_own(schedule, kernel->statement[0].value, &own);
  const struct gen_expr *plane = at_k(kernel, planes.value[0]);
  if (own.count != 1 || !gen_expr_equal(plane, at_k(kernel, planes.value[1])))
    return false;
  *form = (struct gen_cuda_form){
    .kind = GEN_BETWEEN,
    .plane = {table[0], table[1]},
    .stages = 4,
    .stage = {{.name = "plane",
               .given = gen_text("int at, int j, int k, %s value[3]", type),
               .keep = GEN_KEEP_REGISTERS,
               .place = GEN_AT_WINDOW,
               .first = "at + n - 1",
               .values = 3,
               .use = GEN_READS,
               .in_other_row = true,
               .gives = {.count = 1, .value = {plane}}},
              /* asked for a step before it is needed, it waits in registers */
              {.name = "own",
               .given = gen_text("int at, int j, int k, %s value[2]", type),
               .keep = GEN_KEEP_REGISTERS,
               .place = GEN_AT_PAIR,
               .use = GEN_READS,
               .gives = own},
              {.name = "pair",
               .given = gen_text(
                 "int at, int j, int k, const %s here[3], const %s beside[3], const %s own[2]",
                 type, type, type),
               .place = GEN_AT_PAIR,
               .scalars = true,
               .use = GEN_USES,
               .row = planes,
               .takes = own},
              {.name = "ahead",
               .given = "int at, int j, int k, int parity",
               .keep = GEN_KEEP_CACHE,
               .place = GEN_AT_HALF,
               .use = GEN_READS}}};
  find_tables(kernel, &form->stage[2]);
  return true;
}

/* ---- around: four planes, of each five values along i for both cells of a pair; they are combined
 * along k once for both ---- */

struct around {
  int plane[GEN_PLANES_AROUND];  /* tables along k, in the order of the arrays */
  int column[GEN_PLANES_AROUND]; /* tables along i */
  struct gen_parts parts;        /* what is read in each plane */
};

/* The table along k of all that the expression reads, if it is one and i is free; -1: it is not,
 * -2: nothing is read. */
static int plane_of(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    const struct gen_subscript *subscript = expr->access.subscript;
    if (array->rank == 1)
      return array->axis == GEN_J ? -2 : -1;
    return subscript[GEN_I].table >= 0 || subscript[GEN_K].offset ? -1 : subscript[GEN_K].table;
  }
  int plane = -2;
  for (int n = 0; n < gen_arity(expr); n++) {
    const int of = plane_of(kernel, expr->argument[n]);
    if (of == -1 || (of >= 0 && plane >= 0 && of != plane))
      return -1;
    plane = of >= 0 ? of : plane;
  }
  return plane;
}

/* The largest parts that are in one plane each. false: there are others than four planes with one
 * part in each. */
static bool find_planes(const struct gen_kernel *kernel, const struct gen_expr *expr,
                        struct around *around)
{
  const int plane = plane_of(kernel, expr);
  if (plane >= 0) {
    for (int n = 0; n < around->parts.count; n++)
      if (around->plane[n] == plane)
        return false;
    if (around->parts.count == GEN_PLANES_AROUND)
      return false;
    around->plane[around->parts.count] = plane;
    around->parts.value[around->parts.count++] = expr;
    return true;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!find_planes(kernel, expr->argument[n], around))
      return false;
  return true;
}

/* In the order of the tables, as one may expect them to hold planes. */
static void sort_planes(struct around *around)
{
  for (int n = 1; n < GEN_PLANES_AROUND; n++)
    for (int m = n; m > 0 && around->plane[m] < around->plane[m - 1]; m--) {
      const int plane = around->plane[m];
      const struct gen_expr *value = around->parts.value[m];
      around->plane[m] = around->plane[m - 1];
      around->parts.value[m] = around->parts.value[m - 1];
      around->plane[m - 1] = plane;
      around->parts.value[m - 1] = value;
    }
}

/* Whether the row is picked by tables along i that hold four cells around, which are noted. */
static bool find_columns(const struct gen_schedule *schedule, const struct gen_expr *expr,
                         struct around *around)
{
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array)) {
    const int table = expr->access.subscript[GEN_I].table;
    const int rule = table < 0 ? 0 : (int)schedule->kernel->array[table].rule;
    if (rule < GEN_AROUND_0 || rule > GEN_AROUND_3)
      return false;
    around->column[rule - GEN_AROUND_0] = table;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!find_columns(schedule, expr->argument[n], around))
      return false;
  return true;
}

bool gen_choose_around(const struct gen_schedule *schedule, struct gen_cuda_form *form)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const char *type = gen_real(schedule);
  struct around around = {
    .column = {-1, -1, -1, -1},
    .parts = {.prefix = "",
              .name = {"planes[0][i]", "planes[1][i]", "planes[2][i]", "planes[3][i]"}}};
  if (!interpolates(schedule) || !find_columns(schedule, kernel->statement[0].value, &around)
      || !find_planes(kernel, schedule->row[0].value, &around)
      || around.parts.count != GEN_PLANES_AROUND)
    return false;
  sort_planes(&around);
  const struct gen_expr *plane = at_k(kernel, around.parts.value[0]);
  for (int n = 0; n < GEN_PLANES_AROUND; n++)
    if (around.column[n] < 0 || !gen_expr_equal(plane, at_k(kernel, around.parts.value[n])))
      return false;
  *form = (struct gen_cuda_form){
    .kind = GEN_AROUND,
    .stages = 3,
    .stage = {{.name = "plane",
               .given = gen_text("int first, int j, int k, %s value[5]", type),
               .keep = GEN_KEEP_REGISTERS,
               .place = GEN_AT_WINDOW,
               .first = "first + n",
               .values = 5,
               .use = GEN_READS,
               .in_other_row = true,
               .gives = {.count = 1, .value = {plane}}},
              {.name = "row",
               .given = gen_text("int k, const %s planes[4][5], %s value[5]", type, type),
               .keep = GEN_KEEP_REGISTERS,
               .place = GEN_AT_EACH,
               .values = 5,
               .scalars = true,
               .use = GEN_READS,
               .in_other_row = true,
               .gives = {.count = 1, .value = {schedule->row[0].value}},
               .takes = around.parts},
              {.name = "pair",
               .given = gen_text("int at, int j, int k, const %s row[5], int later", type),
               .place = GEN_AT_PAIR,
               .scalars = true,
               .use = GEN_USES,
               .picks = true,
               .tables = GEN_PLANES_AROUND}}};
  for (int n = 0; n < GEN_PLANES_AROUND; n++) {
    form->plane[n] = around.plane[n];
    form->column[n] = form->stage[2].table[n].array = around.column[n];
    form->stage[2].table[n].holds = gen_text("%d", n);
  }
  return true;
}
