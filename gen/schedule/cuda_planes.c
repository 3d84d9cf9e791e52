/* Interpolation by threads that march along k through the fine planes. What is read in a coarse
 * plane is kept in registers; so each value is read, and combined along j, once and not for every
 * fine plane. Where tables say something else than is expected, SYMBOL_cell does it. */
#include "cuda_choices.h"

struct planes {
  int table[GEN_PLANES_AROUND];  /* along k, in the order of appearance */
  int column[GEN_PLANES_AROUND]; /* along i, by rule */
  struct gen_parts parts;        /* what is read in each plane */
  const struct gen_expr *value;  /* the same of a plane k */
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
                        struct planes *planes)
{
  const int plane = plane_of(kernel, expr);
  if (plane >= 0) {
    for (int n = 0; n < planes->parts.count; n++)
      if (planes->table[n] == plane)
        return false;
    if (planes->parts.count == GEN_PLANES_AROUND)
      return false;
    planes->table[planes->parts.count] = plane;
    planes->parts.value[planes->parts.count++] = expr;
    return true;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!find_planes(kernel, expr->argument[n], planes))
      return false;
  return true;
}

/* In the order of the tables, as one may expect them to hold planes. */
static void sort_planes(struct planes *planes)
{
  for (int n = 1; n < GEN_PLANES_AROUND; n++)
    for (int m = n; m > 0 && planes->table[m] < planes->table[m - 1]; m--) {
      const int table = planes->table[m];
      const struct gen_expr *value = planes->parts.value[m];
      planes->table[m] = planes->table[m - 1];
      planes->parts.value[m] = planes->parts.value[m - 1];
      planes->table[m - 1] = table;
      planes->parts.value[m - 1] = value;
    }
}

/* Whether the row is picked by tables along i that keep one of so many rules, from the first one
 * on; these tables are noted. */
static bool find_columns(const struct gen_schedule *schedule, const struct gen_expr *expr,
                         enum gen_table_rule first, int rules, struct planes *planes)
{
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array)) {
    const int table = expr->access.subscript[GEN_I].table;
    const int rule = table < 0 ? -1 : (int)schedule->kernel->array[table].rule - (int)first;
    if (rule < 0 || rule >= rules)
      return false;
    planes->column[rule] = table;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!find_columns(schedule, expr->argument[n], first, rules, planes))
      return false;
  return true;
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

/* Whether the kernel stores one value, which it picks by tables of such rules from the row buffer
 * of a coarse value, and this is made of as many planes, with the same in each. */
static bool interpolates(const struct gen_schedule *schedule, enum gen_table_rule first, int rules,
                         struct planes *planes)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const struct gen_row *row = schedule->row;
  *planes = (struct planes){.column = {-1, -1, -1, -1}, .parts = {.prefix = ""}};
  if (!gen_cuda_in_pairs(schedule) || schedule->rows != 1 || row->level != GEN_COARSER || row->parts
      || row->norms || kernel->statements != 1 || kernel->statement[0].kind != GEN_STORE
      || !find_columns(schedule, kernel->statement[0].value, first, rules, planes)
      || !find_planes(kernel, row->value, planes) || planes->parts.count != rules)
    return false;
  planes->value = at_k(kernel, planes->parts.value[0]);
  for (int n = 1; n < rules; n++)
    if (!gen_expr_equal(planes->value, at_k(kernel, planes->parts.value[n])))
      return false;
  return true;
}

/* What is kept of a plane: so many values along i. */
static struct gen_cuda_stage plane_stage(const struct gen_schedule *schedule, const char *from,
                                         const char *where, int values, const struct planes *planes)
{
  return (struct gen_cuda_stage){
    .name = "plane",
    .given = gen_text("int %s, int j, int k, %s value[%d]", from, gen_real(schedule), values),
    .keep = GEN_KEEP_REGISTERS,
    .place = GEN_AT_WINDOW,
    .where = where,
    .values = values,
    .use = GEN_READS,
    .in_other_row = true,
    .gives = {.count = 1, .value = {planes->value}}};
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

/* Between planes: one, that below and that above are kept, of each three values along i. */
bool gen_choose_between(const struct gen_schedule *schedule, struct gen_cuda_form *form)
{
  const struct gen_kernel *kernel = schedule->kernel;
  const char *type = gen_real(schedule);
  struct gen_parts own = {.prefix = ""};
  struct planes planes;
  if (!interpolates(schedule, GEN_PARENT, 2, &planes))
    return false;
  planes.parts.name[0] = "here[i - at + 1]";
  planes.parts.name[1] = "beside[i - at + 1]";
  find_own(schedule, kernel->statement[0].value, &own);
  if (own.count != 1)
    return false;
  *form = (struct gen_cuda_form){
    .kind = GEN_BETWEEN,
    .plane = {planes.table[0], planes.table[1]},
    .stages = 4,
    .stage = {plane_stage(schedule, "at", "at + n - 1", 3, &planes),
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
               .row = planes.parts,
               .takes = own},
              {.name = "ahead",
               .given = "int at, int j, int k, int parity",
               .keep = GEN_KEEP_CACHE,
               .place = GEN_AT_PARITY,
               .use = GEN_READS}}};
  find_tables(kernel, &form->stage[2]);
  return true;
}

/* Around: four planes are kept, of each five values along i for both cells of a pair; they are
 * combined along k once for both. */
bool gen_choose_around(const struct gen_schedule *schedule, struct gen_cuda_form *form)
{
  static const char *const name[GEN_PLANES_AROUND] = {"planes[0][i]", "planes[1][i]",
                                                      "planes[2][i]", "planes[3][i]"};
  const char *type = gen_real(schedule);
  struct planes planes;
  if (!interpolates(schedule, GEN_AROUND_0, GEN_PLANES_AROUND, &planes))
    return false;
  sort_planes(&planes);
  for (int n = 0; n < GEN_PLANES_AROUND; n++) {
    planes.parts.name[n] = name[n];
    if (planes.column[n] < 0)
      return false;
  }
  *form = (struct gen_cuda_form){
    .kind = GEN_AROUND,
    .stages = 3,
    .stage = {plane_stage(schedule, "first", "first + n", 5, &planes),
              {.name = "row",
               .given = gen_text("int k, const %s planes[4][5], %s value[5]", type, type),
               .keep = GEN_KEEP_REGISTERS,
               .place = GEN_AT_WINDOW,
               .values = 5,
               .scalars = true,
               .use = GEN_READS,
               .in_other_row = true,
               .gives = {.count = 1, .value = {schedule->row[0].value}},
               .takes = planes.parts},
              {.name = "pair",
               .given = gen_text("int at, int j, int k, const %s row[5], int later", type),
               .place = GEN_AT_PAIR,
               .scalars = true,
               .use = GEN_USES,
               .picks = true,
               .tables = GEN_PLANES_AROUND}}};
  for (int n = 0; n < GEN_PLANES_AROUND; n++) {
    form->plane[n] = planes.table[n];
    form->column[n] = form->stage[2].table[n].array = planes.column[n];
    form->stage[2].table[n].holds = gen_text("%d", n);
  }
  return true;
}
