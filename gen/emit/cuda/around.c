/* Interpolation from four coarse cells along each axis: a thread that marches along k through the
 * fine planes needs four coarse planes, and of each five values along i for both cells of a pair.
 * It keeps them in registers; so each is read, and combined along j, once and not for every fine
 * plane, and combined along k once for both cells. Where the four do not follow one another,
 * SYMBOL_cell does it. */
#include "emit/emit.h"
#include "emit/template.h"

enum { AROUND = 4 };

struct around {
  int plane[AROUND];            /* tables along k, in the order of the arrays */
  int column[AROUND];           /* tables along i */
  struct gen_parts parts;       /* what is read in each plane */
  const struct gen_expr *value; /* the same of a plane k */
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

/* The largest parts that are in one plane each. false: there are others than AROUND planes with one
 * part in each. */
static bool find_planes(const struct gen_kernel *kernel, const struct gen_expr *expr,
                        struct around *around)
{
  const int plane = plane_of(kernel, expr);
  if (plane >= 0) {
    for (int n = 0; n < around->parts.count; n++)
      if (around->plane[n] == plane)
        return false;
    if (around->parts.count == AROUND)
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
  for (int n = 1; n < AROUND; n++)
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

static bool understand(const struct gen_schedule *schedule, struct around *around)
{
  static const char *const name[AROUND] = {"planes[0][i]", "planes[1][i]", "planes[2][i]",
                                           "planes[3][i]"};
  const struct gen_kernel *kernel = schedule->kernel;
  *around = (struct around){.column = {-1, -1, -1, -1}, .parts = {.prefix = ""}};
  if (!gen_cuda_in_pairs(schedule) || schedule->rows != 1 || schedule->row[0].level != GEN_COARSER
      || schedule->row[0].parts || schedule->row[0].norms || kernel->statements != 1
      || kernel->statement[0].kind != GEN_STORE
      || !find_columns(schedule, kernel->statement[0].value, around)
      || !find_planes(kernel, schedule->row[0].value, around) || around->parts.count != AROUND)
    return false;
  sort_planes(around);
  around->value = gen_cuda_at_k(kernel, around->parts.value[0]);
  for (int n = 0; n < AROUND; n++) {
    around->parts.name[n] = name[n];
    if (around->column[n] < 0
        || !gen_expr_equal(around->value, gen_cuda_at_k(kernel, around->parts.value[n])))
      return false;
  }
  return true;
}

bool gen_cuda_around(const struct gen_schedule *schedule)
{
  struct around around;
  return understand(schedule, &around);
}

/* What is kept of coarse plane k: at five cells along i from `first` on. */
static void emit_plane(struct gen_emitter *emitter, const struct around *around)
{
  struct gen_emitter inside = *emitter;
  struct gen_names declared = {0};
  inside.row = &emitter->schedule->row[0];
  gen_open_cuda(emitter, "void", "plane",
                gen_text("int first, int j, int k, %s value[5]", gen_real(emitter->schedule)));
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_declare_rows(&inside, around->value, &declared);
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int n = 0; n < 5; n++) {\n"
           "const int i = first + n;\n"
           "value[n] = %s;\n"
           "}\n"
           "}\n"
           "\n",
           gen_emit_expr(&inside, around->value));
}

/* The planes combined, for fine plane k. */
static void emit_row(struct gen_emitter *emitter, const struct around *around)
{
  const struct gen_row *row = &emitter->schedule->row[0];
  struct gen_emitter inside = *emitter;
  struct gen_names declared = {0};
  const char *type = gen_real(emitter->schedule);
  inside.row = row;
  inside.parts = &around->parts;
  gen_open_cuda(emitter, "void", "row",
                gen_text("int k, const %s planes[4][5], %s value[5]", type, type));
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_READS);
  gen_declare_outside(&inside, row->value, &around->parts, &declared);
  gen_line(emitter->writer,
           "#pragma unroll\n"
           "for (int i = 0; i < 5; i++)\n"
           "value[i] = %s;\n"
           "}\n"
           "\n",
           gen_emit_expr(&inside, row->value));
}

static void emit_pair(struct gen_emitter *emitter, const struct around *around)
{
  const struct gen_schedule *schedule = emitter->schedule;
  const struct gen_kernel *kernel = schedule->kernel;
  struct gen_writer *writer = emitter->writer;
  struct gen_emitter half = *emitter;
  struct gen_names declared = {0};
  const char *type = gen_real(schedule);
  gen_open_cuda(emitter, "void", "pair",
                gen_text("int at, int j, int k, const %s row[5], int later", type));
  gen_emit_scalars(emitter);
  gen_emit_cuda_box(emitter, GEN_USES);
  gen_declare_target(emitter, &kernel->statement[0].target, &declared);
  gen_declare_outside(emitter, kernel->statement[0].value, NULL, &declared);
  half.halves = true;
  gen_line(writer,
           "#pragma unroll\n"
           "for (int parity = 0; parity < 2; parity++) {\n"
           "%s around[4];\n"
           "#pragma unroll\n"
           "for (int m = 0; m < 4; m++)\n"
           "around[m] = parity & later ? row[m + 1] : row[m];\n"
           "const auto %s = [&](int m) -> %s { return around[m]; };",
           type, kernel->array[schedule->row[0].array].name, type);
  gen_emit_half(&half, "odd", true, gen_starts(&half, kernel->statement[0].value, "next"));
  for (int n = 0; n < AROUND; n++)
    gen_line(writer, "const int %s_at = %d;", kernel->array[around->column[n]].name, n);
  gen_emit_statements(&half);
  gen_line(writer,
           "}\n"
           "}\n"
           "\n");
}

static const char *fields_of(const struct gen_schedule *schedule, const int table[AROUND])
{
  return gen_text("%d, %d, %d, %d", gen_cuda_field_of(schedule, table[0]),
                  gen_cuda_field_of(schedule, table[1]), gen_cuda_field_of(schedule, table[2]),
                  gen_cuda_field_of(schedule, table[3]));
}

void gen_emit_cuda_around(struct gen_emitter *emitter, const struct gen_cuda_shape *shape)
{
  const struct gen_schedule *schedule = emitter->schedule;
  struct around around;
  understand(schedule, &around);
  gen_emit_cuda_shape(emitter->writer, shape);
  emit_plane(emitter, &around);
  emit_row(emitter, &around);
  emit_pair(emitter, &around);
  const struct gen_word words[] = {
    {"SYMBOL", emitter->symbol},
    {"REAL", gen_real(schedule)},
    {"COLUMN_FIELDS", fields_of(schedule, around.column)},
    {"PLANE_FIELDS", fields_of(schedule, around.plane)},
    {"FIELDS", gen_text("%d", gen_fields(schedule, (int[GEN_MAX_ARRAYS]){0}))},
    {"END_I", gen_cuda_positions(schedule, "args.box.", GEN_I)},
    {"END_J", gen_cuda_positions(schedule, "args.box.", GEN_J)},
    {"END_K", gen_cuda_positions(schedule, "args.box.", GEN_K)},
    {"MORE", gen_cuda_more(emitter, "args.box.", "at")},
    {0}};
  gen_emit_template(emitter->writer, gen_template_around, words);
  gen_emit_cuda_shape_end(emitter->writer);
}
